package io.multimed.bench.series;

import io.multimed.bench.BenchException;
import io.multimed.bench.measure.Measured;
import io.multimed.bench.report.Figure;
import io.multimed.bench.report.Run;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * One run in this JVM: load, clients, invariants.
 *
 * @param seed of the clients' choices
 */
public record EmbeddedRun(EmbeddedEngine engine, int clients, Warmup warmup, int seconds, long seed) {
    private static final double MB = 1e6;

    /**
     * @param progress receives messages on the progress
     */
    public <D> RunOutcome of(Benchmark<D> benchmark, Consumer<String> progress)
            throws BenchException, InterruptedException {
        // The database lives as long as there is a connection.
        try (Connection keeper = engine.open()) {
            D loaded = benchmark.load(
                    engine::open,
                    (what, done, total) -> progress.accept(
                            "loading: " + what + " " + (total == 0 ? 100 : 100L * done / total) + " %"));
            Trial trial = benchmark.trial(loaded, clients, seed);
            trial.prepare(keeper);
            // The heap is measured before clients add rows: the faster an engine, the more rows they add.
            List<Figure> figures = List.of(new Figure(Figure.LIVE_HEAP, "MB", liveHeapBytes() / MB));
            Measurement measurement = new Measurement(clients, warmup, seconds, benchmark.operations(), progress);
            // Clients and engines are one process, so its use of the machine counts for the system.
            Measured measured = measurement.of(
                    trial,
                    engine::open,
                    Map.of("engines and clients", ProcessHandle.current().pid()),
                    Observer.BLIND,
                    Episode.NONE);
            if (measurement.interrupted()) {
                return new RunOutcome(measured, figures, Map.of(), List.of(), true, "");
            }
            progress.accept("checking the invariants");
            List<Run.Check> verdicts = new ArrayList<>(List.of(RunOutcome.answers(trial.told())));
            try (Connection master = engine.open()) {
                master.setAutoCommit(false);
                verdicts.addAll(trial.check(master));
            }
            verdicts.addAll(EmbeddedConvergence.check(engine, trial.tables()));
            return new RunOutcome(measured, figures, Map.of(), verdicts, false, "");
        } catch (SQLException e) {
            throw new BenchException("the engine does not answer the harness: " + e.getMessage(), e);
        }
    }

    /** Returns the heap's size after a garbage collection. */
    private static long liveHeapBytes() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed();
    }
}
