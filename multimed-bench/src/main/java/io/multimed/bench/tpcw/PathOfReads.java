package io.multimed.bench.tpcw;

import io.multimed.bench.BenchException;
import io.multimed.bench.dialect.BenchmarkDialect;
import io.multimed.bench.measure.Measured;
import io.multimed.bench.measure.Operation;
import io.multimed.bench.report.Figure;
import io.multimed.bench.report.Run;
import io.multimed.bench.series.Episode;
import io.multimed.bench.system.Node;
import io.multimed.bench.system.RunningSystem;
import io.multimed.bench.system.Template;
import io.multimed.bench.tpcw.population.TpcwScale;
import io.multimed.bench.tpcw.workload.Interaction;
import io.multimed.bench.tpcw.workload.RouteProbe;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Finds out whether Best Sellers reaches a partial Satellite: by its counter while the window is open, and by asking where it runs
 * once the window has closed, beside the same load. A run whose Best Sellers mostly ran elsewhere does not show the system that it names.
 */
final class PathOfReads implements Episode {
    private final RunningSystem system;
    private final Node node;
    private final TpcwScale scale;
    private final BenchmarkDialect dialect;
    /** The share of Best Sellers that ran on the node, of those that were asked; NaN before any was. */
    private double there = Double.NaN;

    private long before;
    private long served;

    PathOfReads(RunningSystem system, Node node, TpcwScale scale, BenchmarkDialect dialect) {
        this.system = system;
        this.node = node;
        this.scale = scale;
        this.dialect = dialect;
    }

    private long counted() {
        return system.served().getOrDefault(node.name(), 0L);
    }

    @Override
    public void opens() {
        before = counted();
    }

    @Override
    public void closes() {
        served = counted() - before;
    }

    @Override
    public void beside(LongSupplier completed) throws BenchException, SQLException {
        String url = system.address().url(Template.DATABASE);
        there = RouteProbe.ask(() -> DriverManager.getConnection(url), scale, dialect, node.name());
    }

    @Override
    public List<Figure> figures(Measured measured) {
        List<Figure> figures = new ArrayList<>();
        if (measured.seconds() > 0) {
            figures.add(new Figure("transactions on " + node.name(), "1/s", served / measured.seconds()));
        }
        OptionalDouble full = memory(measured, other -> other.startsWith("satellite-"));
        OptionalDouble own = memory(measured, node.name()::equals);
        if (full.isPresent() && own.isPresent() && full.getAsDouble() > 0) {
            figures.add(new Figure(
                    "memory of " + node.name() + ", of a full Satellite's",
                    "%",
                    100 * own.getAsDouble() / full.getAsDouble()));
        }
        if (!Double.isNaN(there)) {
            figures.add(new Figure("Best Sellers on " + node.name() + ", of those asked", "%", 100 * there));
        }
        return figures;
    }

    /** Returns the memory of an engine's processes and of its files in memory, on the average of those that are meant. */
    private static OptionalDouble memory(Measured measured, Predicate<String> meant) {
        return measured.inside().nodes().entrySet().stream()
                .filter(engine -> meant.test(engine.getKey()))
                .mapToDouble(engine -> engine.getValue().memoryDiskBytes()
                        + measured.memoryBytes().getOrDefault(engine.getKey(), 0L))
                .average();
    }

    @Override
    public List<Run.Check> checks(Measured measured) {
        long measuredOnes = measured.operations().stream()
                .filter(operation -> operation.name().equals(Interaction.BESS.name()))
                .mapToLong(Operation::count)
                .sum();
        return measuredOnes == 0
                ? List.of()
                : List.of(new Run.Check(
                        "Best Sellers runs mostly on " + node.name(),
                        served > 0 && there >= 0.5
                                ? ""
                                : Math.round(100 * there) + " % of those that were asked for their route, and " + served
                                        + " transactions while " + measuredOnes + " Best Sellers were measured"));
    }
}
