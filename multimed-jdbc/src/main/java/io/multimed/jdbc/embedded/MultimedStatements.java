package io.multimed.jdbc.embedded;

import io.multimed.engine.embedded.EmbeddedNodeStatus;
import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.jdbc.errors.Errors;
import io.multimed.jdbc.sql.OwnStatement;
import io.multimed.jdbc.sql.OwnStatement.Assignment;
import io.multimed.jdbc.url.OptionValues;
import io.multimed.model.Freshness;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Executes statements for Multimed itself. */
final class MultimedStatements {
    private MultimedStatements() {}

    /**
     * Executes a statement.
     *
     * @return a query that answers a SHOW in any engine; null for a SET, which is done
     */
    static @Nullable String run(String sql, EmbeddedSession session, ReportedRoute route) throws SQLException {
        Assignment set = OwnStatement.assignment(sql);
        if (set != null) {
            if (!set.name().equalsIgnoreCase("freshness")) {
                throw Errors.invalid("There is no setting multimed." + set.name()
                        + " that can be changed: there is multimed.freshness.");
            }
            session.freshness(OptionValues.freshness(set.value()));
            return null;
        }
        String shown = OwnStatement.shown(sql);
        if (shown != null) {
            switch (shown) {
                case "nodes" -> {
                    return nodes(session.database().nodes());
                }
                case "route" -> {
                    return "VALUES (" + quoted(route.words()) + ")";
                }
                case "freshness" -> {
                    return "VALUES (" + quoted(words(session.freshness())) + ")";
                }
                default -> {}
            }
        }
        throw Errors.invalid("Not understood: " + sql.strip() + ". There are SHOW MULTIMED NODES, SHOW multimed.route,"
                + " SHOW multimed.freshness and SET multimed.freshness = 'strong'.");
    }

    private static String words(Freshness freshness) {
        if (freshness instanceof Freshness.Eventual eventual) {
            return "eventual:" + eventual.maxLag().toMillis() + "ms";
        }
        return freshness instanceof Freshness.Session ? "session" : "strong";
    }

    private static String nodes(List<EmbeddedNodeStatus> nodes) {
        StringJoiner query = new StringJoiner(" UNION ALL ", "SELECT * FROM (", ") AS MULTIMED_NODES");
        for (EmbeddedNodeStatus node : nodes) {
            query.add("SELECT " + column(node.node().name(), "NODE") + ", "
                    + column(node.role().name().toLowerCase(Locale.ROOT), "ROLE") + ", " + column(node.state(), "STATE")
                    + ", " + column(node.applied(), "APPLIED") + ", " + column(node.lag(), "LAG") + ", "
                    + column(node.rowsBehind(), "ROWS_BEHIND") + ", "
                    + column(node.active(), "ACTIVE") + ", " + column(node.served(), "SERVED") + ", "
                    + column(node.engines(), "ENGINES") + ", " + column(node.detail(), "DETAIL")
                    + " FROM (VALUES (0)) AS ONE");
        }
        return query.toString();
    }

    private static String column(String value, String name) {
        return "CAST(" + quoted(value) + " AS VARCHAR(200)) AS \"" + name + "\"";
    }

    private static String column(long value, String name) {
        return "CAST(" + value + " AS BIGINT) AS \"" + name + "\"";
    }

    private static String quoted(String value) {
        return "'" + value.replace("'", "''") + "'";
    }
}
