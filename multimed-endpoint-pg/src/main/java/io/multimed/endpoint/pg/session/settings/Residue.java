package io.multimed.endpoint.pg.session.settings;

import io.multimed.endpoint.pg.backend.BackendSettings;
import io.multimed.sql.DatabaseCatalog;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The residue of a transaction in its engine session, as the engine reports it: settings, which can be carried to another backend,
 * and other things that bind the client to this backend.
 *
 * <p>The engine is asked only after statements that may leave something: SET, and code whose effects Multimed does not know.
 */
public final class Residue {
    /** Marks settings that code with more rights than the session has set for it. */
    private static final String FORBIDDEN =
            "CASE WHEN context = 'superuser' AND NOT pg_catalog.has_parameter_privilege(name, 'SET') THEN ";

    /**
     * Excludes the settings of the transaction itself. Once set, PostgreSQL reports them as set by the session for ever, and RESET
     * does not affect them.
     */
    private static final String SETTINGS = "SELECT " + FORBIDDEN + "'' ELSE name END, " + FORBIDDEN
            + "'parameter ' || name ELSE setting END FROM pg_catalog.pg_settings WHERE source = 'session'"
            + " AND name NOT IN ('transaction_isolation', 'transaction_read_only', 'transaction_deferrable')";

    /**
     * A parameter that is set where a session has set parameters of unknown names. RESET ALL and DISCARD ALL remove it together
     * with these.
     */
    private static final String UNKNOWN_NAMES = "multimed.unknown_names";

    private static final String EVERYTHING = SETTINGS
            + " UNION ALL SELECT '', 'parameters of unknown names' WHERE pg_catalog.current_setting('"
            + UNKNOWN_NAMES + "', true) = 'set'" + """
             UNION ALL SELECT '', 'temporary objects' WHERE EXISTS (
             SELECT FROM pg_catalog.pg_depend WHERE refclassid = 'pg_catalog.pg_namespace'::pg_catalog.regclass
             AND refobjid = pg_catalog.pg_my_temp_schema())
             UNION ALL SELECT '', 'schema of temporary objects' WHERE pg_catalog.pg_my_temp_schema() <> 0
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
    private static final String TEMPORARY_SCHEMA = "schema of temporary objects";

    private final Set<String> prepared = new HashSet<>();
    private final List<String> privateThings = new ArrayList<>();
    private final boolean utf8;
    private int preparedByMessages;
    private boolean temporarySchema;

    /**
     * Creates the reader of an answer.
     *
     * @param utf8 as in the query
     */
    public Residue(boolean utf8) {
        this.utf8 = utf8;
    }

    /**
     * Returns the query for settings only.
     *
     * @param customNames parameters with a qualified name that may be set; {@code pg_settings} does not list them
     * @param applicationName the session's application name at its start, if it may have been reset
     * @param utf8 whether the client speaks UTF-8
     */
    public static String settingsQuery(Collection<String> customNames, Optional<String> applicationName, boolean utf8) {
        String settings = restoring(applicationName, utf8) + SETTINGS;
        return encoded(settings + (customNames.isEmpty() ? "" : custom(array(customNames, utf8))), utf8);
    }

    /**
     * Restores the application name after a RESET, which leaves it empty because the engine session did not begin with that name.
     */
    private static String restoring(Optional<String> applicationName, boolean utf8) {
        return applicationName
                .map(name -> "SELECT name, pg_catalog.set_config(name, " + BackendSettings.literal(name, utf8)
                        + ", false) FROM pg_catalog.pg_settings WHERE name = 'application_name' AND source <> 'session'"
                        + " UNION ALL ")
                .orElse("");
    }

    /** Returns the query in a form that is answered in UTF-8, whatever the client's encoding is. */
    private static String encoded(String query, boolean utf8) {
        return utf8
                ? query
                : "SELECT " + hexadecimal("name") + ", " + hexadecimal("value") + " FROM (" + query
                        + ") AS residue (name, value)";
    }

    private static String hexadecimal(String column) {
        return "pg_catalog.encode(pg_catalog.convert_to(" + column + ", 'UTF8'), 'hex')";
    }

    /** Returns the query for a session that has just set parameters of unknown names. */
    public static String withUnknownNames(String query) {
        return "SET " + UNKNOWN_NAMES + " = 'set';" + query;
    }

    /**
     * Returns the query in a form that the client's timeouts do not end. The answer lists these timeouts as settings even if the
     * client has not set them.
     */
    public static String unhurried(String query, boolean utf8) {
        String present = "SELECT name, pg_catalog.current_setting(name)"
                + " FROM (VALUES ('statement_timeout'), ('lock_timeout')) AS timeouts (name)";
        return encoded(present, utf8) + ";SET LOCAL statement_timeout = 0;SET LOCAL lock_timeout = 0;" + query;
    }

    /**
     * Returns the query for settings and all other residue.
     *
     * @param user the role for which the connection was opened
     * @param customNames parameters with a qualified name that the session may have set
     * @param setByCode the parameters that functions of the database set, if known; otherwise the engine looks for them
     * @param applicationName the session's application name at its start, if it may have been reset
     */
    public static String fullQuery(
            String user,
            Collection<String> customNames,
            Optional<Set<String>> setByCode,
            Optional<String> applicationName,
            boolean utf8) {
        Set<String> names = new TreeSet<>(customNames);
        setByCode.ifPresent(names::addAll);
        String source = array(names, utf8);
        if (setByCode.isEmpty()) {
            source = "(SELECT " + source + " UNION " + DatabaseCatalog.PARAMETERS_SET_QUERY + ")";
        }
        boolean none = setByCode.isPresent() && names.isEmpty();
        String everything = restoring(applicationName, utf8) + EVERYTHING + BackendSettings.literal(user, utf8);
        return encoded(everything + (none ? "" : custom(source)), utf8);
    }

    private static String array(Collection<String> names, boolean utf8) {
        return names.stream()
                .map(name -> BackendSettings.literal(name, utf8))
                .collect(Collectors.joining(",", "pg_catalog.unnest(ARRAY[", "]::pg_catalog.text[])"));
    }

    /**
     * Returns the part of the query that lists custom parameters.
     *
     * @param names a source of rows with one column
     */
    private static String custom(String names) {
        return " UNION ALL SELECT custom, pg_catalog.current_setting(custom, true) FROM " + names
                + " AS names (custom) WHERE pg_catalog.current_setting(custom, true) IS NOT NULL";
    }

    /** Reads a DataRow of the answer. */
    public void row(ByteBuf in, int index) {
        int at = index + 7;
        String name = text(in, at);
        String value = text(in, at + 4 + in.getInt(at));
        if (name.isEmpty() && value.startsWith(BY_MESSAGES)) {
            preparedByMessages = Integer.parseInt(value.substring(BY_MESSAGES.length()));
        } else if (name.isEmpty() && value.equals(TEMPORARY_SCHEMA)) {
            temporarySchema = true;
        } else if (name.isEmpty()) {
            privateThings.add(value);
            if (value.startsWith(PREPARE)) {
                prepared.add(value.substring(PREPARE.length()));
            }
        } else {
            settings.putIfAbsent(name, value);
        }
    }

    /** Reads a column, which begins with its length. The length of NULL is negative. */
    private String text(ByteBuf in, int at) {
        String sent = in.toString(at + 4, Math.max(0, in.getInt(at)), StandardCharsets.UTF_8);
        return utf8 ? sent : new String(HexFormat.of().parseHex(sent), StandardCharsets.UTF_8);
    }

    /** The settings of the session in the form in which backends receive them. */
    public BackendSettings settings() {
        return settings.isEmpty() ? BackendSettings.NONE : new BackendSettings(settings);
    }

    /** The settings of the session by name. */
    public Map<String, String> settingsMap() {
        return settings;
    }

    /** Names of the statements that SQL has prepared. */
    public Set<String> prepared() {
        return prepared;
    }

    /** Number of statements prepared by Multimed that exist there; code may have deallocated some. Valid for a full query. */
    public int preparedByMessages() {
        return preparedByMessages;
    }

    /** Whether the engine session has a schema for temporary objects, even an empty one. Valid for a full query. */
    public boolean hasTemporarySchema() {
        return temporarySchema;
    }

    /** The things that keep the session on this backend; empty when there are none. */
    public List<String> privateThings() {
        return privateThings;
    }
}
