package io.multimed.endpoint.pg.session.settings;

import io.multimed.endpoint.pg.backend.Settings;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a transaction left behind in its engine session, as the engine itself tells: settings, which can be carried to
 * another backend, and things that cannot, which bind the client to this one.
 *
 * <p>Asked only after statements that may leave something: SET, and code that Multimed cannot look into.
 */
public final class Residue {
    /** Without what is a transaction's own: PostgreSQL calls that the session's for ever after, and resets none of it. */
    private static final String SETTINGS = "SELECT name, setting FROM pg_catalog.pg_settings WHERE source = 'session'"
            + " AND name NOT IN ('transaction_isolation', 'transaction_read_only', 'transaction_deferrable')";

    /** Set where a session has set parameters whose names nobody knows; RESET ALL and DISCARD ALL take it away with these. */
    private static final String UNKNOWN_NAMES = "multimed.unknown_names";

    private static final String EVERYTHING = SETTINGS
            + " UNION ALL SELECT '', 'parameters of unknown names' WHERE pg_catalog.current_setting('"
            + UNKNOWN_NAMES + "', true) = 'set'" + """
             UNION ALL SELECT '', 'temporary objects' WHERE EXISTS (
             SELECT FROM pg_catalog.pg_class WHERE relnamespace = pg_catalog.pg_my_temp_schema())
             UNION ALL SELECT '', 'advisory locks' WHERE EXISTS (
             SELECT FROM pg_catalog.pg_locks WHERE locktype = 'advisory' AND pid = pg_catalog.pg_backend_pid())
             UNION ALL SELECT '', 'LISTEN' WHERE EXISTS (SELECT FROM pg_catalog.pg_listening_channels())
             UNION ALL SELECT '', 'cursors WITH HOLD' WHERE EXISTS (SELECT FROM pg_catalog.pg_cursors WHERE is_holdable)
             UNION ALL SELECT '', 'PREPARE ' || name FROM pg_catalog.pg_prepared_statements WHERE from_sql
             UNION ALL SELECT '', 'by messages ' || count(*) FROM pg_catalog.pg_prepared_statements WHERE NOT from_sql
             UNION ALL SELECT '', 'role' WHERE pg_catalog.current_setting('role') <> 'none'
             OR session_user <>\s""";

    private final Map<String, String> settings = new LinkedHashMap<>();
    private static final String PREPARE = "PREPARE ";
    private static final String BY_MESSAGES = "by messages ";

    private final Set<String> prepared = new HashSet<>();
    private final List<String> privateThings = new ArrayList<>();
    private int preparedByMessages;

    /** @param customNames parameters with a qualified name that may be set: {@code pg_settings} does not list them */
    public static String settingsQuery(Collection<String> customNames) {
        return SETTINGS + custom(customNames);
    }

    /** The same query where the session has just set parameters whose names nobody knows. */
    public static String withUnknownNames(String query) {
        return "SET " + UNKNOWN_NAMES + " = 'set';" + query;
    }

    /** The same query where the client's statement_timeout does not end it; but the client may not have set that. */
    public static String unhurried(String query) {
        return "SELECT 'statement_timeout', pg_catalog.current_setting('statement_timeout');"
                + "SET LOCAL statement_timeout = 0;" + query;
    }

    /** @param user the role the connection was opened for */
    public static String fullQuery(String user, Collection<String> customNames) {
        return EVERYTHING + literal(user) + custom(customNames);
    }

    private static String custom(Collection<String> names) {
        StringBuilder sql = new StringBuilder();
        for (String name : names) {
            String value = "pg_catalog.current_setting(" + literal(name) + ", true)";
            sql.append(" UNION ALL SELECT ")
                    .append(literal(name))
                    .append(", ")
                    .append(value)
                    .append(" WHERE ")
                    .append(value)
                    .append(" IS NOT NULL");
        }
        return sql.toString();
    }

    private static String literal(String text) {
        return "E'" + text.replace("\\", "\\\\").replace("'", "''") + "'";
    }

    /** A DataRow of the answer. */
    public void row(ByteBuf in, int index) {
        int at = index + 7;
        int nameLength = in.getInt(at);
        String name = in.toString(at + 4, nameLength, StandardCharsets.UTF_8);
        at += 4 + nameLength;
        int valueLength = in.getInt(at);
        String value = valueLength < 0 ? "" : in.toString(at + 4, valueLength, StandardCharsets.UTF_8);
        if (name.isEmpty() && value.startsWith(BY_MESSAGES)) {
            preparedByMessages = Integer.parseInt(value.substring(BY_MESSAGES.length()));
        } else if (name.isEmpty()) {
            privateThings.add(value);
            if (value.startsWith(PREPARE)) {
                prepared.add(value.substring(PREPARE.length()));
            }
        } else {
            settings.putIfAbsent(name, value);
        }
    }

    /** The settings of the session, as a backend is told them. */
    public Settings settings() {
        return settings.isEmpty() ? Settings.NONE : new Settings(settings);
    }

    /** The same, by name. */
    public Map<String, String> settingsMap() {
        return settings;
    }

    /** Names of what SQL has prepared. */
    public Set<String> prepared() {
        return prepared;
    }

    /** How many statements that Multimed has prepared there are; code may have deallocated some. Of a full query. */
    public int preparedByMessages() {
        return preparedByMessages;
    }

    /** What keeps the session on this backend; empty when nothing does. */
    public List<String> privateThings() {
        return privateThings;
    }
}
