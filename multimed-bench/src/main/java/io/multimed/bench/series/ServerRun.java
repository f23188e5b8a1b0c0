package io.multimed.bench.series;

import io.multimed.bench.BenchException;
import io.multimed.bench.Interruptible;
import io.multimed.bench.measure.Measured;
import io.multimed.bench.report.Figure;
import io.multimed.bench.report.Run;
import io.multimed.bench.system.Node;
import io.multimed.bench.system.RunningSystem;
import io.multimed.bench.system.Template;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** One run of a system of database servers on a fresh copy: clients, invariants. */
final class ServerRun {
    private static final Duration DRAIN = Duration.ofMinutes(2);

    private final Benchmark<?> benchmark;
    private final Trial trial;
    private final Measurement measurement;
    private final Consumer<String> progress;
    private boolean interrupted;

    /** @param trial of the benchmark */
    ServerRun(Benchmark<?> benchmark, Trial trial, Measurement measurement, Consumer<String> progress) {
        this.benchmark = benchmark;
        this.trial = trial;
        this.measurement = measurement;
        this.progress = progress;
    }

    RunOutcome of(RunningSystem system) throws BenchException, InterruptedException {
        try (Episode episode = benchmark.episode(system, progress)) {
            system.awaitAll();
            String url = system.address().url(Template.DATABASE);
            try (Connection connection = DriverManager.getConnection(url)) {
                trial.prepare(connection);
            }
            episode.quiet();
            Map<String, Map<String, String>> settings = new TreeMap<>();
            for (Node node : system.nodes()) {
                settings.put(node.name(), node.settings(Template.DATABASE));
            }
            Map<String, Long> began = system.processes();
            Measured measured;
            try (EngineObserver observer = new EngineObserver(system)) {
                measured = measurement.of(trial, () -> DriverManager.getConnection(url), began, observer, episode);
            }
            interrupted = measurement.interrupted();
            List<Figure> figures = new ArrayList<>(episode.figures(measured));
            figures.addAll(trial.figures(measured));
            Optional<Map<String, Long>> lasting = episode.endsEngines() ? Optional.empty() : Optional.of(began);
            List<Run.Check> checks = interrupted ? List.of() : checks(system, lasting, episode.checks(measured));
            return new RunOutcome(measured, figures, settings, checks, interrupted, "");
        } catch (SQLException e) {
            throw new BenchException("the engine does not answer the harness: " + e.getMessage(), e);
        }
    }

    /**
     * @param began processes that must live to the end
     * @param own checks of the episode
     */
    private List<Run.Check> checks(RunningSystem system, Optional<Map<String, Long>> began, List<Run.Check> own) {
        progress.accept("checking the invariants");
        List<Run.Check> verdicts = new ArrayList<>(own);
        verdicts.add(RunOutcome.answers(trial.told()));
        try {
            Map<String, Long> ended = system.processes();
            began.ifPresent(all -> verdicts.add(new Run.Check(
                    "every process lives through the run",
                    ended.equals(all) ? "" : "it began with " + all + " and ended with " + ended)));
            checkData(system.nodes(), verdicts);
        } catch (SQLException | RuntimeException e) {
            if (Thread.interrupted()) {
                interrupted = true;
            } else {
                verdicts.add(new Run.Check("the engines answer after the run", String.valueOf(e.getMessage())));
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        return verdicts;
    }

    private void checkData(List<Node> nodes, List<Run.Check> verdicts) throws SQLException, InterruptedException {
        try (Connection master = nodes.getFirst().open(Template.DATABASE)) {
            verdicts.addAll(Interruptible.perform(() -> trial.check(master), master));
            for (Node satellite : nodes.subList(1, nodes.size())) {
                try (Connection copy = satellite.open(Template.DATABASE)) {
                    verdicts.add(Interruptible.perform(
                            () -> Convergence.check(satellite, trial.tables(), master, copy, DRAIN), master, copy));
                }
            }
        }
    }
}
