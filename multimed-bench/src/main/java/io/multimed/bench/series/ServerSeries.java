package io.multimed.bench.series;

import io.multimed.bench.BenchException;
import io.multimed.bench.Console;
import io.multimed.bench.report.Run;
import io.multimed.bench.system.Carried;
import io.multimed.bench.system.Equipment;
import io.multimed.bench.system.Launcher;
import io.multimed.bench.system.RunningSystem;
import io.multimed.bench.system.ServerKind;
import io.multimed.bench.system.SystemUnderTest;
import io.multimed.bench.system.Systems;
import io.multimed.bench.system.Workspace;
import io.multimed.model.plan.PlanRequest;
import io.multimed.model.plan.Planner;
import io.multimed.model.topology.CpuSet;
import io.multimed.model.topology.Topology;
import io.multimed.server.os.LinuxTopologyReader;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One or several forms of a benchmark against systems of one kind of server, on copies of one cluster.
 *
 * @param <B> the engines' programs
 * @param <D> the data kept about the population
 */
public final class ServerSeries<B, D> extends SystemsInTurn<Benchmark<D>> {
    /** The systems' resources by the number of cores. */
    private final Map<Integer, Equipment<B>> equipments = new LinkedHashMap<>();

    private final ServerKind<B> kind;
    private @Nullable LoadedCluster<D> cluster;

    /**
     * @param benchmarks on the same population, such as the mixes of TPC-W
     * @param version of Multimed, for the results
     * @param there runs of an earlier call, which are not made again
     */
    public ServerSeries(
            ServerKind<B> kind,
            List<Benchmark<D>> benchmarks,
            SeriesOptions options,
            String version,
            Console console,
            List<Run> there) {
        super(benchmarks, options, version, console, there);
        this.kind = kind;
        options.systems().forEach(name -> Systems.requireKnown(name, kind.systems()));
    }

    @Override
    public Ending run() throws BenchException {
        preflight();
        // The directory is made if need be, and a refused call leaves nothing behind.
        Preflight.out(options.out());
        try (Workspace workspace = Workspace.create(options.work(), kind.user())) {
            try {
                equip(workspace);
                loadAndRun();
            } catch (InterruptedException e) {
                journal.interrupt();
            } catch (BenchException e) {
                if (!Thread.interrupted()) {
                    throw e;
                }
                journal.interrupt();
            }
        }
        journal.tell();
        return journal.ending();
    }

    @Override
    public void preflight() throws BenchException {
        Preflight.check(options, benchmarks.getFirst(), mostClients());
    }

    @Override
    public List<Integer> left() throws BenchException, InterruptedException {
        try (Workspace workspace = Workspace.create(options.work(), kind.user())) {
            equip(workspace);
            return left(installed());
        }
    }

    /** Finds out what systems may use. */
    private void equip(Workspace workspace) throws BenchException, InterruptedException {
        B programs = kind.programs();
        Topology topology = new LinuxTopologyReader(Path.of("/")).read();
        // A Master without Satellites would have the whole machine's memory.
        long memory = Planner.plan(topology, PlanRequest.DEFAULT.withSatellites(0))
                .master()
                .memoryBytes();
        for (int cores : options.cores()) {
            equipments.put(
                    cores,
                    new Equipment<>(
                            workspace,
                            programs,
                            mostClients(),
                            memory,
                            Preflight.cores(cores, topology),
                            Launcher.command(kind.program())));
        }
    }

    private Equipment<B> equipment() {
        return equipments.values().iterator().next();
    }

    private Equipment<B> equipment(Point<?> point) {
        return Objects.requireNonNull(equipments.get(point.cores()));
    }

    private void loadAndRun() throws BenchException, InterruptedException {
        for (String name : options.systems()) {
            system(name, equipment()).missing().ifPresent(why -> console.say("skipping " + name + ": " + why));
        }
        List<String> names = installed();
        if (left(names).stream().allMatch(number -> number == 0)) {
            return;
        }
        journal.expect(left(names).stream().mapToInt(Integer::intValue).sum());
        announce(names, "loading, copying and checking");
        cluster = LoadedCluster.load(kind, equipment(), benchmarks.getFirst(), console);
        takeTurns(names);
    }

    /** Returns the largest number of clients at work at once. */
    private int mostClients() {
        return benchmarks.stream()
                .mapToInt(benchmark -> benchmark.atWork(options.mostClients()))
                .max()
                .orElse(0);
    }

    private List<String> installed() throws BenchException {
        List<String> names = options.systems().stream()
                .filter(name -> system(name, equipment()).missing().isEmpty())
                .toList();
        if (names.isEmpty()) {
            throw new BenchException("none of the systems can be run here: "
                    + options.systems().stream()
                            .map(name -> name + ", "
                                    + system(name, equipment()).missing().orElse(""))
                            .collect(Collectors.joining("; ")));
        }
        return names;
    }

    private SystemUnderTest system(String name, Equipment<B> equipment) {
        int processors = equipment.processors();
        int satellites = options.satellites(processors);
        Carried carried = benchmarks.getFirst().carried();
        return kind.system(
                name,
                equipment,
                new Systems.Options(
                        satellites,
                        options.pool(),
                        options.satelliteSettings(),
                        // Where Satellites grow with the cores, systems are compared that have as many of them.
                        options.engineCores() > 0 && satellites > 1 ? carried.inPlaceOfOne() : carried,
                        options.coresOfEach(processors)));
    }

    @Override
    String description(String system) {
        return system(system, equipment()).description();
    }

    @Override
    RunOutcome outcome(String system, Point<Benchmark<D>> point, long seed, String label)
            throws BenchException, InterruptedException {
        Benchmark<D> benchmark = point.benchmark();
        LoadedCluster<D> loaded = Objects.requireNonNull(cluster);
        Workspace workspace = equipment().workspace();
        Consumer<String> progress = line -> console.progress(label + line);
        RunOutcome outcome = RunOutcome.NOTHING;
        Path files = workspace.directory("run");
        try {
            progress.accept("copying the database");
            Path data = workspace.copy(loaded.data(), files.resolve("data"));
            progress.accept("starting");
            try (RunningSystem running = system(system, equipment(point)).start(data, files)) {
                Measurement measurement = new Measurement(
                        benchmark.atWork(point.clients()),
                        options.warmup(),
                        options.seconds(),
                        benchmark.operations(),
                        progress);
                Trial trial = benchmark.trial(loaded.loaded(), point.clients(), seed);
                outcome = new ServerRun(benchmark, trial, measurement, progress).of(running);
            }
            return outcome;
        } catch (BenchException e) {
            // An interrupt closes the thread's socket, so the failure is not the system's.
            return Thread.interrupted() ? outcome.interrupted(true) : outcome.failed(String.valueOf(e.getMessage()));
        } finally {
            workspace.remove(files);
        }
    }

    @Override
    Map<String, String> parameters(String system, Point<Benchmark<D>> point) {
        Equipment<B> equipment = equipment(point);
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("database bytes", Long.toString(cluster == null ? 0 : cluster.bytes()));
        if (options.engineCores() == 0) {
            parameters.put("satellites", Integer.toString(options.satellites()));
        } else {
            parameters.put("cores of an engine", Integer.toString(options.engineCores()));
        }
        if (!options.satelliteSettings().isEmpty()) {
            parameters.put("satellite settings", options.satelliteSettings().toString());
        }
        parameters.put("pool", Integer.toString(options.pool()));
        parameters.put("driver", kind.driver() + ", its own defaults but for what a system needs");
        parameters.put("isolation", point.benchmark().isolation());
        parameters.put("durability", kind.durability(system));
        parameters.put(
                "cores",
                equipment.cores().isEmpty()
                        ? "all, shared by engines, middleware and load generator"
                        : CpuSet.of(equipment.cores()) + " for engines and middleware, all for the load generator");
        parameters.put("processors", Integer.toString(equipment.processors()));
        parameters.put("memory bytes", Long.toString(equipment.memoryBytes()));
        parameters.put("disk", equipment.workspace().fileSystem());
        return parameters;
    }
}
