package io.multimed.jdbc;

import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.engine.embedded.NodeStatus;
import io.multimed.model.Freshness;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Statements for Multimed itself: {@code SHOW MULTIMED NODES}, {@code SHOW multimed.route}, {@code SET multimed.freshness = …}. */
final class OwnStatements {
    private static final Pattern SHOW =
            Pattern.compile("\\s*SHOW\\s+MULTIMED\\s*(?:\\.\\s*|\\s)(\\w+)\\s*;?\\s*", Pattern.CASE_INSENSITIVE);
    private static final Pattern SET = Pattern.compile(
            "\\s*SET\\s+MULTIMED\\s*\\.\\s*(\\w+)\\s*(?:=|\\s+TO\\s)?\\s*'?([\\w:-]+)'?\\s*;?\\s*",
            Pattern.CASE_INSENSITIVE);

    private OwnStatements() {}

    /** Returns the word that a SHOW names, in lower case; null if the text is no such SHOW. */
    static @Nullable String shown(String sql) {
        Matcher show = SHOW.matcher(sql);
        return show.matches() ? show.group(1).toLowerCase(Locale.ROOT) : null;
    }

    static boolean isSet(String sql) {
        return SET.matcher(sql).matches();
    }

    /**
     * Executes a statement.
     *
     * @return a query that answers a SHOW in any engine; null for a SET, which is done
     */
    static @Nullable String run(String sql, EmbeddedSession session, Route route) throws SQLException {
        Matcher set = SET.matcher(sql);
        if (set.matches()) {
            if (!set.group(1).equalsIgnoreCase("freshness")) {
                throw Errors.invalid("There is no setting multimed." + set.group(1)
                        + " that can be changed: there is multimed.freshness.");
            }
            session.freshness(MultimedUrl.freshness(set.group(2)));
            return null;
        }
        String shown = shown(sql);
        if (shown != null) {
            switch (shown) {
                case "nodes":
                    return nodes(session.database().nodes());
                case "route":
                    return "VALUES (" + quoted(route.words()) + ")";
                case "freshness":
                    return "VALUES (" + quoted(words(session.freshness())) + ")";
                default:
                    break;
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

    private static String nodes(List<NodeStatus> nodes) {
        StringJoiner query = new StringJoiner(" UNION ALL ", "SELECT * FROM (", ") AS MULTIMED_NODES");
        for (NodeStatus node : nodes) {
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
