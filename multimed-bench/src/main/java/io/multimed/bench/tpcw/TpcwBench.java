package io.multimed.bench.tpcw;

import io.multimed.bench.BenchException;
import io.multimed.bench.Console;
import io.multimed.bench.measure.Machine;
import io.multimed.bench.measure.Recording;
import io.multimed.bench.report.Run;
import io.multimed.bench.report.RunFiles;
import io.multimed.bench.report.TextTable;
import io.multimed.bench.system.Equipment;
import io.multimed.bench.system.Launcher;
import io.multimed.bench.system.RunningSystem;
import io.multimed.bench.system.SystemUnderTest;
import io.multimed.bench.system.Systems;
import io.multimed.bench.system.Workspace;
import io.multimed.bench.tpcw.population.Population;
import io.multimed.engine.CopyProgress;
import io.multimed.engine.EngineException;
import io.multimed.engine.postgresql.binaries.EmbeddedBinaries;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.model.plan.PlanRequest;
import io.multimed.model.plan.Planner;
import io.multimed.model.topology.CpuSet;
import io.multimed.model.topology.Topology;
import io.multimed.server.os.LinuxTopologyReader;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.postgresql.util.DriverInfo;

/** The whole benchmark. Used by one thread. */
public final class TpcwBench {
    /** How it ended; the worst of what happened. */
    public enum Ending {
        /** Every run counts. */
        DONE,
        /** A run contradicted itself, or could not be carried out. */
        VOID,
        INTERRUPTED
    }

    private final TpcwOptions options;
    private final String version;
    private final Console console;
    private final String series =
            LocalDateTime.now().format(DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT));
    private final List<Run> runs = new ArrayList<>();
    private Ending ending = Ending.DONE;

    /** @param version of Multimed, for the results */
    public TpcwBench(TpcwOptions options, String version, Console console) {
        this.options = options;
        this.version = version;
        this.console = console;
    }

    /**
     * Runs all; an interrupt of the calling thread ends it early.
     *
     * @throws BenchException if nothing could be measured at all, told before anything is loaded where it can be known
     */
    public Ending run() throws BenchException {
        Preflight.check(options);
        try (Workspace workspace = Workspace.create(options.work())) {
            try {
                inWorkspace(workspace);
            } catch (InterruptedException e) {
                ending = Ending.INTERRUPTED;
            }
        }
        if (!runs.isEmpty()) {
            console.result(String.join("\n", TextTable.operations(runs), TextTable.of(runs), TextTable.bars(runs)));
        }
        return ending;
    }

    private void inWorkspace(Workspace workspace) throws BenchException, InterruptedException {
        EngineBinaries binaries;
        Topology topology;
        try {
            binaries = EmbeddedBinaries.unpack(EmbeddedBinaries.defaultCache(), CopyProgress.SILENT);
            topology = new LinuxTopologyReader(Path.of("/")).read();
        } catch (EngineException e) {
            throw new BenchException(String.valueOf(e.getMessage()), e);
        }
        List<Integer> cores = Preflight.cores(options, topology);
        // What a Master without Satellites would be given: the whole machine.
        long memory = Planner.plan(topology, PlanRequest.DEFAULT.withSatellites(0))
                .master()
                .memoryBytes();
        Equipment equipment = new Equipment(workspace, binaries, options.clients(), memory, cores, Launcher.command());
        List<SystemUnderTest> systems = systems(equipment);
        console.progress("trying whether each system starts");
        Rehearsal.of(systems, equipment);
        announce(systems);
        LoadedDatabase database = LoadedDatabase.load(
                equipment, new Population(options.scale(), options.seed(), LocalDate.now()), console);
        for (int number = 1; number <= options.runs() && ending != Ending.INTERRUPTED; number++) {
            List<SystemUnderTest> turn = new ArrayList<>(systems);
            // Nobody always comes first.
            Collections.rotate(turn, 1 - number);
            for (SystemUnderTest system : turn) {
                if (ending != Ending.INTERRUPTED) {
                    finished(one(system, number, equipment, database));
                }
            }
        }
    }

    private List<SystemUnderTest> systems(Equipment equipment) throws BenchException {
        List<SystemUnderTest> systems = new ArrayList<>();
        for (String name : options.systems()) {
            SystemUnderTest system =
                    Systems.of(name, equipment, new Systems.Options(options.satellites(), options.pool()));
            Optional<String> missing = system.missing();
            if (missing.isPresent()) {
                console.say("skipping " + name + ": " + missing.get());
            } else {
                systems.add(system);
            }
        }
        if (systems.isEmpty()) {
            throw new BenchException("none of the systems can be run here");
        }
        return systems;
    }

    private void announce(List<SystemUnderTest> systems) {
        systems.forEach(system -> console.say(system.name() + ": " + system.description()));
        long seconds = (long) options.runs() * systems.size() * (options.warmupSeconds() + options.seconds());
        console.say(
                "TPC-W " + options.workload().text() + ", " + options.clients() + " clients, " + options.runs() + " x "
                        + systems.size() + " runs of " + options.warmupSeconds() + " + " + options.seconds() + " s: "
                        + Math.ceilDiv(seconds, 60) + " minutes, and loading, copying and checking");
    }

    /** The same choices for every system in one repetition, others in the next. */
    private long seedOfClients(int number) {
        return options.seed() + number;
    }

    private Run one(SystemUnderTest system, int number, Equipment equipment, LoadedDatabase database)
            throws BenchException {
        Instant started = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        String label = "run " + number + " of " + options.runs() + ", " + system.name();
        TpcwRun.Result result = new TpcwRun.Result(
                new Recording(List.of(), 0, 1).measured(Map.of(), Map.of()), Map.of(), List.of(), false);
        String failure = "";
        boolean interrupted = false;
        Path files = equipment.workspace().directory("run");
        try {
            console.progress(label + ": copying the database");
            Path data = equipment.workspace().copy(database.data(), files.resolve("data"));
            console.progress(label + ": starting");
            try (RunningSystem running = system.start(data, files)) {
                result = new TpcwRun(options, database, console, label).of(running, seedOfClients(number));
            }
        } catch (BenchException e) {
            failure = String.valueOf(e.getMessage());
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            equipment.workspace().remove(files);
        }
        return new Run(
                "tpcw " + options.workload().text(),
                system.name(),
                system.description(),
                number,
                started.toString(),
                version,
                Machine.read(),
                parameters(equipment, database, number),
                result.settings(),
                result.measured(),
                result.checks(),
                interrupted || result.interrupted(),
                failure);
    }

    private Map<String, String> parameters(Equipment equipment, LoadedDatabase database, int number) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("mix", options.workload().text());
        parameters.put("clients", Integer.toString(options.clients()));
        parameters.put("ebs", Integer.toString(options.scale().ebs()));
        parameters.put("items", Integer.toString(options.scale().items()));
        parameters.put("database bytes", Long.toString(database.bytes()));
        parameters.put("satellites", Integer.toString(options.satellites()));
        parameters.put("pool", Integer.toString(options.pool()));
        parameters.put("warmup seconds", Integer.toString(options.warmupSeconds()));
        parameters.put("seconds", Integer.toString(options.seconds()));
        parameters.put("runs", Integer.toString(options.runs()));
        parameters.put("seed", Long.toString(options.seed()));
        parameters.put("seed of clients", Long.toString(seedOfClients(number)));
        parameters.put("load", "closed loop without think time; latencies not corrected for coordinated omission");
        parameters.put("driver", DriverInfo.DRIVER_FULL_NAME + ", its own defaults but for what a system needs");
        parameters.put("isolation", LoadedDatabase.ISOLATION);
        parameters.put(
                "durability", "fsync, synchronous_commit and full_page_writes on the Master or the one PostgreSQL");
        parameters.put(
                "cores",
                equipment.cores().isEmpty()
                        ? "all, shared by engines, middleware and load generator"
                        : CpuSet.of(equipment.cores()) + " for engines and middleware, all for the load generator");
        parameters.put("memory bytes", Long.toString(equipment.memoryBytes()));
        parameters.put("disk", equipment.workspace().fileSystem());
        return parameters;
    }

    private void finished(Run run) throws BenchException {
        runs.add(run);
        Path file = RunFiles.write(options.out(), series, run);
        console.say(String.format(
                Locale.ROOT,
                "run %d, %s: %.1f interactions/s, p99 %.1f ms, %d errors (%s)",
                run.number(),
                run.system(),
                run.measured().perSecond(),
                run.measured().all().p99(),
                run.measured().failures(),
                file));
        run.measured().errors().forEach((error, count) -> console.say("  " + count + " times: " + error));
        if (run.interrupted()) {
            ending = Ending.INTERRUPTED;
        } else if (!run.valid()) {
            ending = Ending.VOID;
            console.say("  void: " + (run.failure().isEmpty() ? "" : run.failure()));
            run.checks().stream()
                    .filter(check -> !check.contradiction().isEmpty())
                    .forEach(check -> console.say("  not so: " + check.invariant() + ": " + check.contradiction()));
        }
    }
}
