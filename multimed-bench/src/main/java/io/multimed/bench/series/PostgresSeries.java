package io.multimed.bench.series;

import io.multimed.bench.BenchException;
import io.multimed.bench.Console;
import io.multimed.bench.measure.Machine;
import io.multimed.bench.report.Run;
import io.multimed.bench.system.Equipment;
import io.multimed.bench.system.Launcher;
import io.multimed.bench.system.RunningSystem;
import io.multimed.bench.system.SystemUnderTest;
import io.multimed.bench.system.Systems;
import io.multimed.bench.system.Workspace;
import io.multimed.core.spi.CopyProgress;
import io.multimed.core.spi.EngineException;
import io.multimed.engine.postgresql.binaries.EmbeddedBinaries;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.model.plan.PlanRequest;
import io.multimed.model.plan.Planner;
import io.multimed.model.topology.CpuSet;
import io.multimed.model.topology.Topology;
import io.multimed.server.os.LinuxTopologyReader;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.postgresql.util.DriverInfo;

/**
 * One or several forms of a benchmark against PostgreSQL systems, on copies of one cluster. Used by one thread.
 *
 * @param <D> the data kept about the population
 */
public final class PostgresSeries<D> implements Series {
    /** One place on the axes. */
    private record Point<D>(Benchmark<D> benchmark, int clients, int cores) {}

    private final List<Benchmark<D>> benchmarks;
    private final SeriesOptions options;
    private final String version;
    private final Console console;
    private final Journal journal;
    /** Whether a system that does not start is left out; otherwise it ends the series. */
    private final boolean goesOn;

    private final List<String> dropped = new ArrayList<>();

    /**
     * @param benchmarks on the same population, such as the mixes of TPC-W
     * @param version of Multimed, for the results
     */
    public PostgresSeries(List<Benchmark<D>> benchmarks, SeriesOptions options, String version, Console console) {
        this(benchmarks, options, version, console, List.of(), false);
    }

    /**
     * Makes a series that is a part of a larger call.
     *
     * @param there runs of an earlier call, which are not made again
     * @param goesOn whether a system that does not start is only left out
     */
    public PostgresSeries(
            List<Benchmark<D>> benchmarks,
            SeriesOptions options,
            String version,
            Console console,
            List<Run> there,
            boolean goesOn) {
        this.benchmarks = List.copyOf(benchmarks);
        this.options = options;
        this.version = version;
        this.console = console;
        this.journal = new Journal(options.out(), console, there);
        this.goesOn = goesOn;
        options.systems().forEach(Systems::requireKnown);
    }

    /** Returns the runs made so far. */
    public List<Run> runs() {
        return journal.runs();
    }

    @Override
    public Ending run() throws BenchException {
        preflight();
        // The directory is made if need be, and a refused call leaves nothing behind.
        Preflight.out(options.out());
        try (Workspace workspace = Workspace.create(options.work())) {
            try {
                inWorkspace(workspace);
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
        try (Workspace workspace = Workspace.create(options.work())) {
            Map<Integer, Equipment> equipments = equipments(workspace);
            List<String> names = installed(equipments.values().iterator().next());
            return IntStream.rangeClosed(1, options.runs())
                    .mapToObj(number -> left(number, names, equipments))
                    .toList();
        }
    }

    @Override
    public List<String> dropped() {
        return List.copyOf(dropped);
    }

    /** Returns the systems' resources by the number of cores. */
    private Map<Integer, Equipment> equipments(Workspace workspace) throws BenchException, InterruptedException {
        EngineBinaries binaries;
        Topology topology;
        try {
            binaries = EmbeddedBinaries.unpack(EmbeddedBinaries.defaultCache(), CopyProgress.SILENT);
            topology = new LinuxTopologyReader(Path.of("/")).read();
        } catch (EngineException e) {
            throw new BenchException(String.valueOf(e.getMessage()), e);
        }
        // A Master without Satellites would have the whole machine's memory.
        long memory = Planner.plan(topology, PlanRequest.DEFAULT.withSatellites(0))
                .master()
                .memoryBytes();
        Map<Integer, Equipment> equipments = new LinkedHashMap<>();
        for (int cores : options.cores()) {
            equipments.put(
                    cores,
                    new Equipment(
                            workspace,
                            binaries,
                            mostClients(),
                            memory,
                            Preflight.cores(cores, topology),
                            Launcher.command()));
        }
        return equipments;
    }

    private void inWorkspace(Workspace workspace) throws BenchException, InterruptedException {
        Map<Integer, Equipment> equipments = equipments(workspace);
        Equipment equipment = equipments.values().iterator().next();
        for (SystemUnderTest system : systems(options.systems(), equipment)) {
            system.missing().ifPresent(why -> console.say("skipping " + system.name() + ": " + why));
        }
        List<String> names = installed(equipment);
        if (left(names, equipments) == 0) {
            return;
        }
        names = starting(names, equipment);
        journal.expect(left(names, equipments));
        List<Point<D>> points = points();
        announce(systems(names, equipment), points.size());
        LoadedCluster<D> cluster = LoadedCluster.load(equipment, benchmarks.getFirst(), console);
        for (int number = 1; number <= options.runs(); number++) {
            // Each system is the first one in turn.
            Collections.rotate(names, number == 1 ? 0 : -1);
            for (Point<D> point : points) {
                Equipment given = equipments.getOrDefault(point.cores(), equipment);
                for (SystemUnderTest system : systems(names, given)) {
                    if (!journal.interrupted() && !there(system.name(), number, point, given)) {
                        Run run = one(system, number, point, given, cluster);
                        // An interrupt is kept pending while a system ends; it is handled now.
                        if (Thread.interrupted()) {
                            journal.interrupt();
                        }
                        journal.finished(
                                run, points.size() == 1 ? point.benchmark().place() : name(point));
                    }
                }
            }
        }
    }

    /** Returns the number of runs that an earlier call has not made. */
    private int left(List<String> names, Map<Integer, Equipment> equipments) {
        return IntStream.rangeClosed(1, options.runs())
                .map(number -> left(number, names, equipments))
                .sum();
    }

    /** Returns the number of runs left in one repetition. */
    private int left(int number, List<String> names, Map<Integer, Equipment> equipments) {
        int left = 0;
        for (Point<D> point : points()) {
            Equipment given = Objects.requireNonNull(equipments.get(point.cores()));
            for (String name : names) {
                left += there(name, number, point, given) ? 0 : 1;
            }
        }
        return left;
    }

    private boolean there(String system, int number, Point<D> point, Equipment equipment) {
        return journal.has(
                version, point.benchmark().name(), system, number, parameters(system, equipment, 0, point, number));
    }

    private List<Point<D>> points() {
        List<Point<D>> points = new ArrayList<>();
        for (Benchmark<D> benchmark : benchmarks) {
            for (int clients : options.clients()) {
                options.cores().forEach(cores -> points.add(new Point<>(benchmark, clients, cores)));
            }
        }
        return points;
    }

    private String name(Point<D> point) {
        String place = point.benchmark().place();
        return point.clients() + "-clients" + (point.cores() == 0 ? "" : "-" + point.cores() + "-cores")
                + (place.isEmpty() ? "" : "-" + place);
    }

    /** Returns the largest number of clients at work at once. */
    private int mostClients() {
        return benchmarks.stream()
                .mapToInt(benchmark -> benchmark.atWork(options.mostClients()))
                .max()
                .orElse(0);
    }

    private List<String> installed(Equipment equipment) throws BenchException {
        List<String> names = systems(options.systems(), equipment).stream()
                .filter(system -> system.missing().isEmpty())
                .map(SystemUnderTest::name)
                .toList();
        if (names.isEmpty()) {
            throw new BenchException("none of the systems can be run here: "
                    + systems(options.systems(), equipment).stream()
                            .map(system ->
                                    system.name() + ", " + system.missing().orElse(""))
                            .collect(Collectors.joining("; ")));
        }
        return names;
    }

    private List<String> starting(List<String> names, Equipment equipment) throws BenchException, InterruptedException {
        console.progress("trying whether each system starts");
        Rehearsal rehearsal = Rehearsal.prepare(equipment);
        List<String> starting = new ArrayList<>();
        for (SystemUnderTest system : systems(names, equipment)) {
            try {
                rehearsal.of(system);
                starting.add(system.name());
            } catch (BenchException e) {
                // An interrupted thread gets no answer, so the failure may not be the system's.
                if (!goesOn || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                dropped.add(system.name() + ": " + e.getMessage());
                console.say("leaving out " + dropped.getLast());
            }
        }
        rehearsal.end();
        if (starting.isEmpty()) {
            throw new BenchException("none of the systems starts here: " + String.join("; ", dropped));
        }
        return starting;
    }

    private List<SystemUnderTest> systems(List<String> names, Equipment equipment) {
        Systems.Options some = new Systems.Options(options.satellites(), options.pool(), options.satelliteSettings());
        return names.stream().map(name -> Systems.of(name, equipment, some)).toList();
    }

    private void announce(List<SystemUnderTest> systems, int points) {
        systems.forEach(system -> console.say(system.name() + ": " + system.description()));
        int each = systems.size() * points;
        long seconds = (long) options.runs() * each * (options.warmup().most() + options.seconds());
        console.say(benchmarks.stream().map(Benchmark::name).distinct().collect(Collectors.joining(", ")) + ": "
                + options.clients().toString().replaceAll("[\\[\\]]", "") + " clients, " + options.runs() + " x " + each
                + " runs of " + options.warmup().span() + " + " + options.seconds() + " s: "
                + Math.ceilDiv(seconds, 60) + " minutes, and loading, copying and checking");
    }

    private Run one(SystemUnderTest system, int number, Point<D> point, Equipment equipment, LoadedCluster<D> cluster)
            throws BenchException {
        Instant started = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        Benchmark<D> benchmark = point.benchmark();
        String label = journal.next() + ": " + benchmark.name() + ", " + name(point) + ", " + system.name();
        RunOutcome outcome = RunOutcome.NOTHING;
        String failure = "";
        boolean interrupted = false;
        Path files = equipment.workspace().directory("run");
        try {
            console.progress(label + ": copying the database");
            Path data = equipment.workspace().copy(cluster.data(), files.resolve("data"));
            console.progress(label + ": starting");
            try (RunningSystem running = system.start(data, files)) {
                Measurement measurement = new Measurement(
                        benchmark.atWork(point.clients()),
                        options.warmup(),
                        options.seconds(),
                        benchmark.operations(),
                        line -> console.progress(label + ": " + line));
                Trial trial = benchmark.trial(cluster.loaded(), point.clients(), options.seedOfClients(number));
                outcome = new PostgresRun(benchmark, trial, measurement, line -> console.progress(label + ": " + line))
                        .of(running);
            }
        } catch (BenchException e) {
            // An interrupt closes the thread's socket, so the failure is not the system's.
            interrupted = Thread.interrupted();
            failure = interrupted ? "" : String.valueOf(e.getMessage());
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            equipment.workspace().remove(files);
        }
        return new Run(
                benchmark.name(),
                system.name(),
                system.description(),
                number,
                started.toString(),
                version,
                Machine.read(),
                parameters(system.name(), equipment, cluster.bytes(), point, number),
                outcome.settings(),
                outcome.measured(),
                outcome.figures(),
                outcome.checks(),
                interrupted || outcome.interrupted(),
                failure);
    }

    private Map<String, String> parameters(String system, Equipment equipment, long bytes, Point<D> point, int number) {
        Map<String, String> parameters = new LinkedHashMap<>(point.benchmark().parameters());
        parameters.putAll(options.parameters(point.clients(), number));
        parameters.put("database bytes", Long.toString(bytes));
        parameters.put("satellites", Integer.toString(options.satellites()));
        if (!options.satelliteSettings().isEmpty()) {
            parameters.put("satellite settings", options.satelliteSettings().toString());
        }
        parameters.put("pool", Integer.toString(options.pool()));
        parameters.put("driver", DriverInfo.DRIVER_FULL_NAME + ", its own defaults but for what a system needs");
        parameters.put("isolation", point.benchmark().isolation());
        parameters.put(
                "durability",
                system.equals(Systems.UNDURABLE)
                        ? "none"
                        : "fsync, synchronous_commit and full_page_writes on the Master or the one PostgreSQL");
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
