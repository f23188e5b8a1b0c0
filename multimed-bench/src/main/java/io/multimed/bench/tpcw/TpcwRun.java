package io.multimed.bench.tpcw;

import io.multimed.bench.BenchException;
import io.multimed.bench.Console;
import io.multimed.bench.Interruptible;
import io.multimed.bench.measure.Measured;
import io.multimed.bench.measure.ProcessTree;
import io.multimed.bench.measure.Recording;
import io.multimed.bench.report.Run;
import io.multimed.bench.system.Node;
import io.multimed.bench.system.RunningSystem;
import io.multimed.bench.system.Template;
import io.multimed.bench.tpcw.check.Convergence;
import io.multimed.bench.tpcw.check.Expected;
import io.multimed.bench.tpcw.check.Invariants;
import io.multimed.bench.tpcw.check.Verdict;
import io.multimed.bench.tpcw.workload.Client;
import io.multimed.bench.tpcw.workload.Interaction;
import io.multimed.bench.tpcw.workload.Tally;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Clients against one system that serves a fresh copy: warm-up, window, invariants. */
final class TpcwRun {
    /** Clients may need longer than the window to be told to stop. */
    private static final int SPARE_SECONDS = 600;

    private static final Duration DRAIN = Duration.ofMinutes(2);
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final Set<Interaction> SHORT = EnumSet.of(Interaction.HOME, Interaction.PROD, Interaction.SREQ);

    private final TpcwOptions options;
    private final LoadedDatabase database;
    private final Console console;
    private final String label;
    private final Tally tally = new Tally();
    private final AtomicBoolean going = new AtomicBoolean(true);
    private boolean interrupted;

    /** @param label shown with progress */
    TpcwRun(TpcwOptions options, LoadedDatabase database, Console console, String label) {
        this.options = options;
        this.database = database;
        this.console = console;
        this.label = label;
    }

    /**
     * What came out.
     *
     * @param interrupted whether it was told to end; then nothing was checked
     */
    record Result(
            Measured measured,
            Map<String, Map<String, String>> settings,
            List<Run.Check> checks,
            boolean interrupted) {}

    /** @param seed of the clients' choices */
    Result of(RunningSystem system, long seed) throws BenchException {
        try {
            Node master = system.nodes().getFirst();
            makeCarts(master);
            Map<String, Map<String, String>> settings = new TreeMap<>();
            for (Node node : system.nodes()) {
                settings.put(node.name(), node.settings(Template.DATABASE));
            }
            Map<String, Long> began = system.processes();
            Measured measured = measure(system, seed);
            List<Run.Check> checks = interrupted ? List.of() : checks(system, began);
            return new Result(measured, settings, checks, interrupted);
        } catch (SQLException e) {
            throw new BenchException("the engine does not answer the harness: " + e.getMessage(), e);
        }
    }

    private void makeCarts(Node master) throws SQLException {
        try (Connection connection = master.open(Template.DATABASE);
                PreparedStatement carts = connection.prepareStatement(
                        "INSERT INTO shopping_cart SELECT id, now() FROM generate_series(1, ?) id")) {
            carts.setInt(1, options.clients());
            carts.executeUpdate();
        }
    }

    private Measured measure(RunningSystem system, long seed) throws BenchException {
        Recording recording =
                new Recording(kinds(), System.nanoTime(), options.warmupSeconds() + options.seconds() + SPARE_SECONDS);
        Client.Setting setting = new Client.Setting(
                system.address().url(Template.DATABASE),
                options.workload().chain(),
                options.scale(),
                seed,
                recording,
                tally,
                going::get);
        Clients clients = Clients.connect(setting, options.clients());
        Map<String, Long> processes = new HashMap<>(system.processes());
        processes.put("load generator", ProcessHandle.current().pid());
        Map<String, Double> cpu = Map.of();
        clients.start();
        try {
            watch(recording, "warming up", options.warmupSeconds());
            cpu = ProcessTree.cpuSeconds(processes);
            recording.openWindow(System.nanoTime());
            watch(recording, "measuring", options.seconds());
        } catch (InterruptedException e) {
            interrupted = true;
        }
        recording.closeWindow(System.nanoTime());
        Map<String, Double> used = difference(cpu, ProcessTree.cpuSeconds(processes));
        Map<String, Long> memory = ProcessTree.memoryBytes(processes);
        going.set(false);
        clients.join();
        return recording.measured(used, memory);
    }

    private static Map<String, Double> difference(Map<String, Double> before, Map<String, Double> after) {
        Map<String, Double> used = new TreeMap<>();
        before.forEach((name, seconds) -> used.put(name, after.getOrDefault(name, seconds) - seconds));
        return used;
    }

    private List<Recording.Kind> kinds() {
        return Arrays.stream(Interaction.values())
                .map(interaction -> new Recording.Kind(
                        interaction.name(),
                        interaction.title(),
                        interaction.readOnly(),
                        SHORT.contains(interaction),
                        options.workload().percentage(interaction)))
                .toList();
    }

    private void watch(Recording recording, String what, int seconds) throws InterruptedException {
        long end = System.nanoTime() + seconds * NANOS_PER_SECOND;
        for (long now = System.nanoTime(); now - end < 0; now = System.nanoTime()) {
            long left = end - now;
            TimeUnit.NANOSECONDS.sleep(Math.min(left, NANOS_PER_SECOND));
            console.progress(label + ": " + what + ", " + left / NANOS_PER_SECOND + " s left, "
                    + recording.lastSecond(System.nanoTime()) + " interactions/s");
        }
    }

    /** @param began the processes that the system began with */
    private List<Run.Check> checks(RunningSystem system, Map<String, Long> began) {
        console.progress(label + ": checking the invariants");
        List<Verdict> verdicts = new ArrayList<>();
        verdicts.add(new Verdict(
                "no answer is wrong", tally.wrongAnswers() == 0 ? "" : tally.wrongAnswers() + " wrong answers"));
        try {
            Map<String, Long> ended = system.processes();
            verdicts.add(new Verdict(
                    "every process lives through the run",
                    ended.equals(began) ? "" : "it began with " + began + " and ended with " + ended));
            checkData(system.nodes(), verdicts);
        } catch (SQLException | RuntimeException e) {
            verdicts.add(new Verdict("the engines answer after the run", String.valueOf(e.getMessage())));
        } catch (InterruptedException e) {
            interrupted = true;
        }
        return verdicts.stream()
                .map(verdict -> new Run.Check(verdict.invariant(), verdict.contradiction()))
                .toList();
    }

    private void checkData(List<Node> nodes, List<Verdict> verdicts) throws SQLException, InterruptedException {
        Expected expected = new Expected(
                tally.orders(), tally.customers(), tally.addresses(), tally.unansweredCommits(), options.clients());
        try (Connection master = nodes.getFirst().open(Template.DATABASE)) {
            verdicts.addAll(Interruptible.perform(() -> Invariants.check(master, database.before(), expected), master));
            for (Node satellite : nodes.subList(1, nodes.size())) {
                try (Connection copy = satellite.open(Template.DATABASE)) {
                    verdicts.add(Interruptible.perform(
                            () -> Convergence.check(satellite.name(), master, copy, DRAIN), master, copy));
                }
            }
        }
    }
}
