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
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Engines inside a JVM that their clients share, alone and as replicas: a JVM of its own for each run. Used by one thread. */
public final class EmbeddedSeries implements Series {
    private static final ObjectMapper JSON = JsonMapper.builder().build();
    /** Bytes of the heap besides the data. */
    private static final long OTHER_HEAP = 256_000_000;
    /** Ratio of the heap for rows as objects, with room for the collector, to their size on PostgreSQL's disk. */
    private static final int HEAP_PER_BYTE = 8;

    /** One place on the axes. */
    private record Point(Benchmark<?> benchmark, int clients, int cores, List<Integer> processors) {}

    private final List<Benchmark<?>> benchmarks;
    private final List<EmbeddedEngine> engines;
    private final SeriesOptions options;
    private final String version;
    private final Console console;
    private final Journal journal;

    /**
     * @param benchmarks records that Jackson writes and reads, each run on a database of its own
     * @param engines the others are compared with the first one
     * @param version of Multimed, for the results
     */
    public EmbeddedSeries(
            List<? extends Benchmark<?>> benchmarks,
            List<EmbeddedEngine> engines,
            SeriesOptions options,
            String version,
            Console console) {
        this(benchmarks, engines, options, version, console, List.of());
    }

    /** @param there runs of an earlier call, which are not made again */
    public EmbeddedSeries(
            List<? extends Benchmark<?>> benchmarks,
            List<EmbeddedEngine> engines,
            SeriesOptions options,
            String version,
            Console console,
            List<Run> there) {
        this.benchmarks = List.copyOf(benchmarks);
        this.engines = List.copyOf(engines);
        this.options = options;
        this.version = version;
        this.console = console;
        this.journal = new Journal(options.out(), console, there);
    }

    @Override
    public void preflight() throws BenchException {
        Preflight.work(options.work());
        heap();
        points();
    }

    @Override
    public List<Integer> left() throws BenchException {
        long heap = heap();
        List<Point> points = points();
        List<Integer> left = new ArrayList<>();
        for (int number = 1; number <= options.runs(); number++) {
            int own = 0;
            for (Point point : points) {
                for (EmbeddedEngine engine : engines) {
                    own += there(engine, number, point, heap) ? 0 : 1;
                }
            }
            left.add(own);
        }
        return left;
    }

    @Override
    public Ending run() throws BenchException {
        preflight();
        long heap = heap();
        List<Point> points = points();
        Preflight.out(options.out());
        announce(heap, points.size());
        try (Workspace workspace = Workspace.create(options.work())) {
            List<EmbeddedEngine> turn = new ArrayList<>(engines);
            for (int number = 1; number <= options.runs(); number++) {
                // Each system is the first one in turn.
                Collections.rotate(turn, number == 1 ? 0 : -1);
                for (Point point : points) {
                    for (EmbeddedEngine engine : turn) {
                        if (!journal.interrupted() && !there(engine, number, point, heap)) {
                            Run run = one(engine, number, point, heap, workspace);
                            journal.finished(run, points.size() == 1 ? "" : name(point));
                        }
                    }
                }
            }
        }
        journal.tell();
        return journal.ending();
    }

    private boolean there(EmbeddedEngine engine, int number, Point point, long heap) {
        return journal.has(version, point.benchmark().name(), engine.name(), number, parameters(point, heap, number));
    }

    private List<Point> points() throws BenchException {
        Topology topology = new LinuxTopologyReader(Path.of("/")).read();
        List<Point> points = new ArrayList<>();
        for (Benchmark<?> benchmark : benchmarks) {
            for (int cores : options.cores()) {
                List<Integer> processors = Preflight.cores(cores, topology);
                options.clients().forEach(clients -> points.add(new Point(benchmark, clients, cores, processors)));
            }
        }
        return points;
    }

    private static String name(Point point) {
        return point.clients() + "-clients" + (point.cores() == 0 ? "" : "-" + point.cores() + "-cores");
    }

    /** Returns the heap's size, the same for all: enough for the most replicas of the largest database. */
    private long heap() throws BenchException {
        long most = 0;
        for (Benchmark<?> benchmark : benchmarks) {
            most = Math.max(most, heap(benchmark));
        }
        return most;
    }

    private long heap(Benchmark<?> benchmark) throws BenchException {
        int most = engines.stream().mapToInt(EmbeddedEngine::replicas).max().orElse(1);
        // Replicas share rows and have indexes of their own.
        long needed = OTHER_HEAP + HEAP_PER_BYTE * benchmark.estimatedBytes() * (1 + Math.max(1, most)) / 2;
        long available = Preflight.availableMemory();
        if (needed > available * 9 / 10) {
            throw new BenchException(String.format(
                    Locale.ROOT,
                    "%d engines with %s each need about %.1f GB of memory, and %.1f GB are free; take a smaller database or"
                            + " fewer --replicas",
                    Math.max(1, most),
                    benchmark.sizedBy(),
                    needed / 1e9,
                    available / 1e9));
        }
        return needed;
    }

    private void announce(long heap, int points) {
        engines.forEach(engine -> console.say(engine.name() + ": " + engine.description()));
        int each = engines.size() * points;
        long seconds = (long) options.runs() * each * (options.warmup().most() + options.seconds());
        console.say(benchmarks.stream().map(Benchmark::name).distinct().collect(Collectors.joining(", ")) + ": "
                + options.runs() + " x " + each + " runs of " + options.warmup().span() + " + " + options.seconds()
                + " s, each in a JVM with " + (heap >> 20) + " MB of heap: " + Math.ceilDiv(seconds, 60)
                + " minutes, and loading and checking");
    }

    private Run one(EmbeddedEngine engine, int number, Point point, long heap, Workspace workspace)
            throws BenchException {
        Instant started = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        Benchmark<?> benchmark = point.benchmark();
        String label = journal.next() + ": " + benchmark.name() + ", " + point.clients() + " clients, " + engine.name();
        EmbeddedRun job = new EmbeddedRun(
                engine, point.clients(), options.warmup(), options.seconds(), options.seedOfClients(number));
        Path files = workspace.directory("run");
        Path result = files.resolve("outcome.json");
        RunOutcome outcome = RunOutcome.NOTHING;
        String failure = "";
        boolean interrupted = false;
        try {
            JSON.writeValue(files.resolve("benchmark.json").toFile(), benchmark);
            JSON.writeValue(files.resolve("job.json").toFile(), job);
            List<String> command = List.of(
                    EmbeddedMain.class.getName(),
                    benchmark.getClass().getName(),
                    files.resolve("benchmark.json").toString(),
                    files.resolve("job.json").toString(),
                    result.toString());
            ChildJvm jvm = ChildJvm.start(engine.name(), point.processors(), heap, command, files);
            try (jvm) {
                jvm.await(line -> console.progress(label + ": " + line));
            } catch (InterruptedException e) {
                // On an orderly end it writes its measurements.
                interrupted = true;
            }
            if (Files.exists(result)) {
                outcome = JSON.readValue(result.toFile(), RunOutcome.class);
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
                parameters(point, heap, number),
                outcome.settings(),
                outcome.measured(),
                outcome.figures(),
                outcome.checks(),
                interrupted || outcome.interrupted(),
                failure);
    }

    private Map<String, String> parameters(Point point, long heap, int number) {
        List<Integer> cores = point.processors();
        Map<String, String> parameters = new LinkedHashMap<>(point.benchmark().parameters());
        parameters.putAll(options.parameters(point.clients(), number));
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
