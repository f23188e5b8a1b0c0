package io.multimed.bench.indexed;

import io.multimed.bench.measure.Measured;
import io.multimed.bench.measure.Operation;
import io.multimed.bench.report.Figure;
import io.multimed.bench.report.Run;
import io.multimed.bench.series.Episode;
import io.multimed.bench.system.Node;
import io.multimed.bench.system.RunningSystem;
import io.multimed.bench.system.Template;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Makes the indexes where no partial Satellite has them, and checks that one that has them executes the reads. */
final class IndexedReads implements Episode {
    private final RunningSystem system;
    private final Consumer<String> progress;
    private final Optional<Node> partial;
    private long before;
    private long served;

    IndexedReads(RunningSystem system, Consumer<String> progress) {
        this.system = system;
        this.progress = progress;
        this.partial = system.partial();
    }

    @Override
    public void quiet() throws SQLException {
        if (partial.isEmpty()) {
            progress.accept("making the indexes");
            try (Connection master = system.nodes().getFirst().open(Template.DATABASE);
                    Statement statement = master.createStatement()) {
                for (String index : IndexedInserts.indexes()) {
                    statement.execute(index);
                }
            }
        }
    }

    private long counted() {
        return partial.map(node -> system.served().getOrDefault(node.name(), 0L))
                .orElse(0L);
    }

    @Override
    public void opens() {
        before = counted();
    }

    @Override
    public void closes() {
        served = counted() - before;
    }

    private static long count(Measured measured, boolean reads) {
        return measured.operations().stream()
                .filter(operation -> operation.readOnly() == reads)
                .mapToLong(Operation::count)
                .sum();
    }

    @Override
    public List<Figure> figures(Measured measured) {
        return measured.seconds() == 0
                ? List.of()
                : List.of(
                        new Figure("inserts", "1/s", count(measured, false) / measured.seconds()),
                        new Figure("reads by an index", "1/s", count(measured, true) / measured.seconds()));
    }

    @Override
    public List<Run.Check> checks(Measured measured) {
        long reads = count(measured, true);
        return partial
                .map(node -> new Run.Check(
                        "reads run mostly on " + node.name(),
                        2 * served >= reads ? "" : served + " transactions there, and " + reads + " reads"))
                .stream()
                .toList();
    }
}
