package io.multimed.bench.series;

import io.multimed.bench.report.Run;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * Checks whether every secondary in this JVM holds the Master's rows; reads are strongly fresh, so there is no need to wait.
 */
final class EmbeddedConvergence {
    /** Number of sessions for each secondary. Sessions spread over the secondaries; so many are surely enough to reach all. */
    private static final int SESSIONS = 20;

    private EmbeddedConvergence() {}

    static List<Run.Check> check(EmbeddedEngine engine, List<String> tables) throws SQLException {
        if (engine.replicas() < 2) {
            return List.of();
        }
        List<Run.Check> verdicts = new ArrayList<>();
        List<Connection> sessions = new ArrayList<>();
        try (Connection master = engine.open();
                Connection watching = engine.open()) {
            master.setAutoCommit(false);
            Map<String, String> there = sums(master, tables);
            Map<String, Long> before = served(watching);
            Map<String, Run.Check> met = new TreeMap<>();
            while (met.size() < engine.replicas() - 1 && sessions.size() < SESSIONS * engine.replicas()) {
                Connection session = engine.open();
                sessions.add(session);
                session.setReadOnly(true);
                session.setAutoCommit(false);
                try (Statement statement = session.createStatement()) {
                    statement
                            .executeQuery("SELECT COUNT(*) FROM " + tables.getFirst())
                            .close();
                }
                session.commit();
                Map<String, Long> after = served(watching);
                for (String node : after.keySet()) {
                    if (!Objects.equals(after.get(node), before.get(node)) && !met.containsKey(node)) {
                        met.put(
                                node,
                                new Run.Check(
                                        node + " holds the Master's rows", differences(sums(session, tables), there)));
                        session.commit();
                    }
                }
                before = served(watching);
            }
            verdicts.addAll(met.values());
            if (met.size() < engine.replicas() - 1) {
                verdicts.add(
                        new Run.Check("every satellite serves", "only " + met.keySet() + " of " + engine.replicas()));
            }
        } finally {
            for (Connection session : sessions) {
                session.close();
            }
        }
        return verdicts;
    }

    /** Returns the number of reads so far, by secondary. */
    private static Map<String, Long> served(Connection connection) throws SQLException {
        Map<String, Long> served = new TreeMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW MULTIMED NODES")) {
            while (rows.next()) {
                if (!rows.getString("role").equalsIgnoreCase("master")) {
                    served.put(rows.getString("node"), rows.getLong("served"));
                }
            }
        }
        return served;
    }

    private static Map<String, String> sums(Connection connection, List<String> tables) throws SQLException {
        Map<String, String> sums = new TreeMap<>();
        for (String table : tables) {
            long count = 0;
            long sum = 0;
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT * FROM " + table)) {
                int columns = rows.getMetaData().getColumnCount();
                while (rows.next()) {
                    count++;
                    long hash = 17;
                    for (int i = 1; i <= columns; i++) {
                        hash = 1_000_003 * hash + Objects.hashCode(rows.getString(i));
                    }
                    // The order of rows does not matter, the position of a value does.
                    sum += hash * hash;
                }
            }
            sums.put(table, count + " rows, sum " + sum);
        }
        return sums;
    }

    private static String differences(Map<String, String> here, Map<String, String> there) {
        StringJoiner wrong = new StringJoiner("; ");
        here.forEach((table, sum) -> {
            if (!sum.equals(there.get(table))) {
                wrong.add(table + ": " + sum + ", the Master " + there.get(table));
            }
        });
        return wrong.toString();
    }
}
