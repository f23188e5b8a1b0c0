package io.multimed.bench.series;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.multimed.bench.BenchException;
import io.multimed.bench.Console;
import io.multimed.bench.measure.Machine;
import io.multimed.bench.report.Run;
import io.multimed.bench.system.ChildJvm;
import io.multimed.bench.system.Workspace;
import io.multimed.model.topology.CpuSet;
import io.multimed.model.topology.Topology;
import io.multimed.server.os.LinuxTopologyReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Engines inside a JVM that their clients share, alone and as replicas: a JVM of its own for each run. Used by one thread. */
public final class EmbeddedSeries {
    private static final ObjectMapper JSON = JsonMapper.builder().build();
    /** Of the heap, beside the data. */
    private static final long OTHER_HEAP = 256_000_000;
    /** Rows as objects, with room for the collector, against their size on PostgreSQL's disk. */
    private static final int HEAP_PER_BYTE = 8;

    private final Benchmark<?> benchmark;
    private final List<EmbeddedEngine> engines;
    private final SeriesOptions options;
    private final String main;
    private final String version;
    private final Console console;
    private final Journal journal;

    /**
     * @param main class of the JVM for one run; its arguments are the files with the benchmark and the {@link EmbeddedRun} as
     *     JSON, and the one for its {@link Outcome}
     * @param version of Multimed, for the results
     */
    public EmbeddedSeries(
            Benchmark<?> benchmark,
            List<EmbeddedEngine> engines,
            SeriesOptions options,
            String main,
            String version,
            Console console) {
        this(benchmark, engines, options, main, version, console, List.of());
    }

    /** @param there runs of an earlier call, which are not made again */
    public EmbeddedSeries(
            Benchmark<?> benchmark,
            List<EmbeddedEngine> engines,
            SeriesOptions options,
            String main,
            String version,
            Console console,
            List<Run> there) {
        this.benchmark = benchmark;
        this.engines = List.copyOf(engines);
        this.options = options;
        this.main = main;
        this.version = version;
        this.console = console;
        this.journal = new Journal(options.out(), console, there);
    }

    /**
     * Runs all; an interrupt of the calling thread ends it early.
     *
     * @throws BenchException if nothing could be measured at all, told before anything is loaded where it can be known
     */
    public Ending run() throws BenchException {
        Preflight.work(options.work());
        long heap = heap();
        Map<Integer, List<Integer>> cores = cores();
        Preflight.out(options.out());
        announce(heap);
        try (Workspace workspace = Workspace.create(options.work())) {
            List<EmbeddedEngine> turn = new ArrayList<>(engines);
            for (int number = 1; number <= options.runs(); number++) {
                // Nobody always comes first.
                Collections.rotate(turn, number == 1 ? 0 : -1);
                for (Map.Entry<Integer, List<Integer>> bound : cores.entrySet()) {
                    for (int clients : options.clients()) {
                        for (EmbeddedEngine engine : turn) {
                            if (!journal.interrupted()
                                    && !journal.has(
                                            version,
                                            benchmark.name(),
                                            engine.name(),
                                            number,
                                            parameters(clients, bound.getValue(), heap, number))) {
                                Run run = one(engine, number, clients, bound.getValue(), heap, workspace);
                                journal.finished(run, point(clients, bound.getKey()));
                            }
                        }
                    }
                }
            }
        }
        journal.tell();
        return journal.ending();
    }

    private String point(int clients, int cores) {
        return options.clients().size() * options.cores().size() == 1
                ? ""
                : clients + "-clients" + (cores == 0 ? "" : "-" + cores + "-cores");
    }

    /** The same for all: enough for the most replicas. */
    private long heap() throws BenchException {
        int most = engines.stream().mapToInt(EmbeddedEngine::replicas).max().orElse(1);
        // Replicas share rows and have indexes of their own.
        long needed = OTHER_HEAP + HEAP_PER_BYTE * benchmark.estimatedBytes() * (1 + Math.max(1, most)) / 2;
        long available = Preflight.availableMemory();
        if (needed > available * 9 / 10) {
            throw new BenchException(String.format(
                    java.util.Locale.ROOT,
                    "%d engines with %s each need about %.1f GB of memory, and %.1f GB are free; take a smaller database or"
                            + " fewer --replicas",
                    Math.max(1, most),
                    benchmark.sizedBy(),
                    needed / 1e9,
                    available / 1e9));
        }
        return needed;
    }

    private Map<Integer, List<Integer>> cores() throws BenchException {
        Map<Integer, List<Integer>> cores = new LinkedHashMap<>();
        Topology topology = new LinuxTopologyReader(Path.of("/")).read();
        for (int number : options.cores()) {
            cores.put(number, Preflight.cores(number, topology));
        }
        return cores;
    }

    private void announce(long heap) {
        engines.forEach(engine -> console.say(engine.name() + ": " + engine.description()));
        int each = engines.size() * options.clients().size() * options.cores().size();
        long seconds = (long) options.runs() * each * (options.warmup().most() + options.seconds());
        console.say(benchmark.name() + ": " + options.runs() + " x " + each + " runs of "
                + options.warmup().span() + " + "
                + options.seconds() + " s, each in a JVM with " + (heap >> 20) + " MB of heap: "
                + Math.ceilDiv(seconds, 60) + " minutes, and loading and checking");
    }

    private Run one(EmbeddedEngine engine, int number, int clients, List<Integer> cores, long heap, Workspace workspace)
            throws BenchException {
        Instant started = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        String label = journal.next() + ": " + benchmark.name() + ", " + clients + " clients, " + engine.name();
        EmbeddedRun job =
                new EmbeddedRun(engine, clients, options.warmup(), options.seconds(), options.seedOfClients(number));
        Path files = workspace.directory("run");
        Path result = files.resolve("outcome.json");
        Outcome outcome = Outcome.NOTHING;
        String failure = "";
        boolean interrupted = false;
        try {
            JSON.writeValue(files.resolve("benchmark.json").toFile(), benchmark);
            JSON.writeValue(files.resolve("job.json").toFile(), job);
            List<String> command = List.of(
                    main,
                    files.resolve("benchmark.json").toString(),
                    files.resolve("job.json").toString(),
                    result.toString());
            ChildJvm jvm = ChildJvm.start(engine.name(), cores, heap, command, files);
            try (jvm) {
                jvm.await(line -> console.progress(label + ": " + line));
            } catch (InterruptedException e) {
                // Ended in order, it writes what it has measured.
                interrupted = true;
            }
            if (Files.exists(result)) {
                outcome = JSON.readValue(result.toFile(), Outcome.class);
            } else if (!interrupted) {
                failure = "the JVM of the engines ended: " + jvm.lastWords();
            }
        } catch (IOException e) {
            throw new BenchException("cannot hand over a run in " + files + ": " + e, e);
        } finally {
            workspace.remove(files);
        }
        return new Run(
                benchmark.name(),
                engine.name(),
                engine.description(),
                number,
                started.toString(),
                version,
                Machine.read(),
                parameters(clients, cores, heap, number),
                outcome.settings(),
                outcome.measured(),
                outcome.figures(),
                outcome.checks(),
                interrupted || outcome.interrupted(),
                failure);
    }

    private Map<String, String> parameters(int clients, List<Integer> cores, long heap, int number) {
        Map<String, String> parameters = new LinkedHashMap<>(benchmark.parameters());
        parameters.putAll(options.parameters(clients, number));
        parameters.put("isolation", "repeatable read");
        parameters.put("durability", "none: in memory");
        parameters.put(
                "cores",
                (cores.isEmpty() ? "all" : CpuSet.of(cores).toString()) + ", shared by engines and clients in one JVM");
        parameters.put(
                "processors",
                Integer.toString(cores.isEmpty() ? Runtime.getRuntime().availableProcessors() : cores.size()));
        parameters.put("heap bytes", Long.toString(heap));
        parameters.put("collector", "parallel");
        return parameters;
    }
}
