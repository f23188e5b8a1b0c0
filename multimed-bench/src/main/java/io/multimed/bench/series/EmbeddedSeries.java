package io.multimed.bench.series;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.multimed.bench.BenchException;
import io.multimed.bench.Console;
import io.multimed.bench.report.Run;
import io.multimed.bench.system.ChildJvm;
import io.multimed.bench.system.Workspace;
import io.multimed.model.topology.CpuSet;
import io.multimed.model.topology.Topology;
import io.multimed.server.os.LinuxTopologyReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Engines inside a JVM that their clients share, alone and as replicas: a JVM of its own for each run. */
public final class EmbeddedSeries extends SystemsInTurn<Benchmark<?>> {
    private static final ObjectMapper JSON = JsonMapper.builder().build();
    /** Bytes of the heap besides the data. */
    private static final long OTHER_HEAP = 256_000_000;
    /** Ratio of the heap for rows as objects, with room for the collector, to their size on PostgreSQL's disk. */
    private static final int HEAP_PER_BYTE = 8;

    private final Map<String, EmbeddedEngine> engines = new LinkedHashMap<>();
    private final Topology topology = new LinuxTopologyReader(Path.of("/")).read();

    /**
     * @param benchmarks records that Jackson writes and reads, each run on a database of its own
     * @param engines the others are compared with the first one
     * @param version of Multimed, for the results
     * @param there runs of an earlier call, which are not made again
     */
    public EmbeddedSeries(
            List<? extends Benchmark<?>> benchmarks,
            List<EmbeddedEngine> engines,
            SeriesOptions options,
            String version,
            Console console,
            List<Run> there) {
        super(List.copyOf(benchmarks), options, version, console, there);
        engines.forEach(engine -> this.engines.put(engine.name(), engine));
    }

    @Override
    public void preflight() throws BenchException {
        Preflight.work(options.work());
        for (Benchmark<?> benchmark : benchmarks) {
            long available = Preflight.availableMemory();
            if (heap(benchmark) > available * 9 / 10) {
                throw new BenchException(String.format(
                        Locale.ROOT,
                        "%d engines with %s each need about %.1f GB of memory, and %.1f GB are free; take a smaller database or"
                                + " fewer --replicas",
                        mostEngines(),
                        benchmark.sizedBy(),
                        heap(benchmark) / 1e9,
                        available / 1e9));
            }
        }
        for (int cores : options.cores()) {
            Preflight.cores(cores, topology);
        }
    }

    @Override
    public List<Integer> left() {
        return left(List.copyOf(engines.keySet()));
    }

    @Override
    public Ending run() throws BenchException {
        preflight();
        Preflight.out(options.out());
        List<String> systems = List.copyOf(engines.keySet());
        announce(systems, "loading and checking, each in a JVM with " + (heap() >> 20) + " MB of heap");
        takeTurns(systems);
        journal.tell();
        return journal.ending();
    }

    private int mostEngines() {
        return Math.max(
                1,
                engines.values().stream()
                        .mapToInt(EmbeddedEngine::replicas)
                        .max()
                        .orElse(1));
    }

    /** Returns the heap's size, the same for all: enough for the most replicas of the largest database. */
    private long heap() {
        return benchmarks.stream().mapToLong(this::heap).max().orElse(0);
    }

    private long heap(Benchmark<?> benchmark) {
        // Replicas share rows and have indexes of their own.
        return OTHER_HEAP + HEAP_PER_BYTE * benchmark.estimatedBytes() * (1 + mostEngines()) / 2;
    }

    private EmbeddedEngine engine(String system) {
        EmbeddedEngine engine = engines.get(system);
        if (engine == null) {
            throw new IllegalArgumentException(system);
        }
        return engine;
    }

    @Override
    String description(String system) {
        return engine(system).description();
    }

    @Override
    RunOutcome outcome(String system, Point<Benchmark<?>> point, long seed, String label)
            throws BenchException, InterruptedException {
        EmbeddedRun job = new EmbeddedRun(engine(system), point.clients(), options.warmup(), options.seconds(), seed);
        try (Workspace workspace = Workspace.create(options.work(), "nobody")) {
            Path files = workspace.directory("run");
            Path result = files.resolve("outcome.json");
            JSON.writeValue(files.resolve("benchmark.json").toFile(), point.benchmark());
            JSON.writeValue(files.resolve("job.json").toFile(), job);
            List<String> command = List.of(
                    EmbeddedMain.class.getName(),
                    point.benchmark().getClass().getName(),
                    files.resolve("benchmark.json").toString(),
                    files.resolve("job.json").toString(),
                    result.toString());
            boolean interrupted = false;
            ChildJvm jvm = ChildJvm.start(system, Preflight.cores(point.cores(), topology), heap(), command, files);
            try (jvm) {
                jvm.await(line -> console.progress(label + line));
            } catch (InterruptedException e) {
                // On an orderly end it writes its measurements.
                interrupted = true;
            }
            RunOutcome outcome = Files.exists(result)
                    ? JSON.readValue(result.toFile(), RunOutcome.class)
                    : interrupted
                            ? RunOutcome.NOTHING
                            : RunOutcome.NOTHING.failed("the JVM of the engines ended: " + jvm.lastWords());
            return outcome.interrupted(interrupted);
        } catch (IOException e) {
            throw new BenchException("cannot hand over a run in " + options.work() + ": " + e, e);
        }
    }

    @Override
    Map<String, String> parameters(String system, Point<Benchmark<?>> point) {
        int cores = point.cores();
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("isolation", "repeatable read");
        parameters.put("durability", "none: in memory");
        parameters.put(
                "cores",
                (cores == 0
                                ? "all"
                                : CpuSet.of(topology.cpus().toList().subList(0, cores))
                                        .toString())
                        + ", shared by engines and clients in one JVM");
        parameters.put(
                "processors", Integer.toString(cores == 0 ? Runtime.getRuntime().availableProcessors() : cores));
        parameters.put("heap bytes", Long.toString(heap()));
        parameters.put("collector", "parallel");
        return parameters;
    }
}
