package io.multimed.bench.freshness;

import io.multimed.bench.BenchException;
import io.multimed.bench.measure.Measured;
import io.multimed.bench.measure.Operation;
import io.multimed.bench.report.Figure;
import io.multimed.bench.series.Episode;
import io.multimed.bench.system.Node;
import io.multimed.bench.system.RunningSystem;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Measures, within the window, how long readers waited for Satellites, and how soon they show a commit. */
final class FreshnessEpisode implements Episode {
    private final RunningSystem system;
    private final Times visible = new Times();
    private final Times waits = new Times();
    private Map<Long, Long> before = Map.of();
    private @Nullable Probe probe;

    FreshnessEpisode(RunningSystem system) {
        this.system = system;
    }

    @Override
    public void opens() throws SQLException {
        List<Node> nodes = system.nodes();
        if (nodes.size() > 1) {
            before = waits();
            probe = Probe.start(system, nodes.get(1), visible);
        }
    }

    @Override
    public void closes() throws BenchException, SQLException {
        if (probe != null) {
            waits().forEach((micros, count) -> waits.addMicros(micros, count - before.getOrDefault(micros, 0L)));
            close();
        }
    }

    @Override
    public void close() throws BenchException {
        if (probe != null) {
            Probe ended = probe;
            probe = null;
            ended.close();
        }
    }

    /** Returns how many readers have waited since the system started, by microseconds at most. */
    private Map<Long, Long> waits() throws SQLException {
        Map<Long, Long> found = new TreeMap<>();
        try (Connection connection =
                        DriverManager.getConnection(system.address().url("multimed"));
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW WAITS")) {
            while (rows.next()) {
                found.put(rows.getLong("at_most_us"), rows.getLong("waits"));
            }
        }
        return found;
    }

    @Override
    public List<Figure> figures(Measured measured) {
        List<Figure> figures = new ArrayList<>(waits.figures("reader waited"));
        figures.addAll(visible.figures("commit visible after"));
        long reads = measured.operations().stream()
                .filter(Operation::readOnly)
                .mapToLong(Operation::count)
                .sum();
        if (visible.count() > 0 && reads > 0) {
            figures.add(new Figure("reads that waited", "%", 100.0 * waits.count() / reads));
        }
        return figures;
    }
}
