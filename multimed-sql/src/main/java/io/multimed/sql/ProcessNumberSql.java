package io.multimed.sql;

/**
 * SQL that replaces relations and functions about server processes, so that clients see the numbers and names that they know. The
 * SQL reads settings of the engine session:
 *
 * <ul>
 *   <li>{@link #OWN}: a number
 *   <li>{@link #PREPARED}: a JSON array with one element for each statement that the client has prepared by Parse messages. An
 *       element has the values of {@code pg_prepared_statements}, and {@code engine}, the engine's name of the statement.
 *   <li>{@link #ALL}: a JSON object
 * </ul>
 *
 * <pre>
 * clients   for each client: pid, the number that it knows; engine, the Master's process that serves it, or null;
 *           role; datname; row, the values of pg_stat_activity for it;
 *           ssl, the values of pg_stat_ssl for it, or absent if the client that asks may not see them
 * hidden    the Master's processes that serve no client
 * </pre>
 *
 * <p>A signal reaches Multimed as a warning: PostgreSQL warns of a number that belongs to no process, and {@link #terminated} and
 * {@link #cancelled} tell which signal was meant. No SQL here contains a backslash, or a quote within a quoted string, since it
 * must mean the same whatever the session's settings.
 */
public final class ProcessNumberSql {
    /** Setting that contains the number of the session's own process. */
    public static final String OWN = "multimed.self";

    /** Setting that contains the numbers of all clients' processes. */
    public static final String ALL = "multimed.backends";

    /** Setting that contains the statements that the client has prepared by Parse messages. */
    public static final String PREPARED = "multimed.prepared";

    /** Beginning of the quoted value in an error message that stands for a missing privilege. */
    public static final String DENIED = "multimed/denied/";

    /** Lower bound of the process numbers that clients know; all of them are higher. */
    public static final int BASE = 1 << 30;

    /** Beginning of the comment before a replacement. The original text follows within the comment. */
    static final String REPLACED = "/*multimed:";

    static final String REPLACEMENT_ENDS = "/*:multimed*/";

    private static final String SETTING =
            "NULLIF(pg_catalog.current_setting('" + ALL + "', true), '')::pg_catalog.jsonb";
    private static final String SELF = "NULLIF(pg_catalog.current_setting('" + OWN + "', true), '')::pg_catalog.int4";

    private static final String CLIENTS = "pg_catalog.jsonb_to_recordset(pg_catalog.jsonb_extract_path(" + SETTING
            + ", 'clients')) AS c(pid pg_catalog.int4, engine pg_catalog.int4, role pg_catalog.text,"
            + " datname pg_catalog.text, \"row\" pg_catalog.jsonb, ssl pg_catalog.jsonb)";

    private static final String NOT_HIDDEN = "s.pid NOT IN (SELECT h.h::pg_catalog.int4 FROM"
            + " pg_catalog.jsonb_array_elements_text(pg_catalog.jsonb_extract_path(" + SETTING
            + ", 'hidden')) AS h(h))";

    private static final String ORIGINAL_QUERY = "pg_catalog.jsonb_build_object('query', " + original("s.query") + ")";

    private static final String ACTIVITY = "(SELECT r.* FROM pg_catalog.pg_stat_activity AS s LEFT JOIN " + CLIENTS
            + " ON c.engine = s.pid CROSS JOIN LATERAL pg_catalog.jsonb_populate_record(s, COALESCE(c.\"row\","
            + " '{}'::pg_catalog.jsonb) || " + ORIGINAL_QUERY + ") AS r WHERE " + NOT_HIDDEN
            + " UNION ALL SELECT r.* FROM " + CLIENTS
            + " LEFT JOIN pg_catalog.pg_database AS d ON d.datname = c.datname LEFT JOIN pg_catalog.pg_roles AS o"
            + " ON o.rolname = c.role CROSS JOIN LATERAL pg_catalog.jsonb_populate_record("
            + "NULL::pg_catalog.pg_stat_activity, c.\"row\" || pg_catalog.jsonb_build_object('datid', d.oid, 'usesysid',"
            + " o.oid, 'datname', c.datname, 'usename', c.role)) AS r WHERE c.engine IS NULL)";

    /** A statement that the engine does not hold has no row of its own in pg_prepared_statements. */
    private static final String PREPARED_STATEMENTS = "(SELECT r.* FROM pg_catalog.jsonb_to_recordset(NULLIF("
            + "pg_catalog.current_setting('" + PREPARED
            + "', true), '')::pg_catalog.jsonb) AS c(engine pg_catalog.text,"
            + " \"row\" pg_catalog.jsonb) LEFT JOIN pg_catalog.pg_prepared_statements AS s ON s.name = c.engine"
            + " AND NOT s.from_sql CROSS JOIN LATERAL pg_catalog.jsonb_populate_record(s, c.\"row\" ||"
            + " pg_catalog.jsonb_build_object('statement', "
            + original("COALESCE(pg_catalog.jsonb_extract_path_text(c.\"row\", 'statement'), s.statement)")
            + ")) AS r UNION ALL SELECT s.* FROM pg_catalog.pg_prepared_statements AS s"
            + " WHERE s.from_sql)";

    private static final String NO_GSSAPI =
            "pg_catalog.jsonb_build_object('gss_authenticated', false, 'encrypted', false,"
                    + " 'credentials_delegated', false)";

    private static final String CLIENT_OF_ARGUMENT = " LEFT JOIN " + CLIENTS + " ON c.pid = a.p";

    private ProcessNumberSql() {}

    /** Returns the number that asks Multimed to end this client's connection. */
    public static int terminated(int processId) {
        return -processId;
    }

    /** Returns the number that asks Multimed to cancel the statement that this client executes. */
    public static int cancelled(int processId) {
        return BASE - processId;
    }

    /** Returns SQL for a statement in the form in which its client has sent it. */
    private static String original(String column) {
        return "pg_catalog.regexp_replace(" + column
                + ", '/[*]multimed:(.*?)[*]/.*?(/[*]:multimed[*]/|$)', E'\\\\1', 'g')";
    }

    static String relation(String name) {
        return switch (name) {
            case ProcessNames.ACTIVITY -> ACTIVITY;
            case ProcessNames.PREPARED -> PREPARED_STATEMENTS;
            case ProcessNames.SSL -> encryption(name, "c.ssl");
            case ProcessNames.GSSAPI -> encryption(name, NO_GSSAPI);
            default ->
                "(SELECT r.* FROM pg_catalog." + name + " AS s LEFT JOIN " + CLIENTS
                        + " ON c.engine = s.pid CROSS JOIN LATERAL pg_catalog.jsonb_populate_record(s,"
                        + " CASE WHEN c.pid IS NULL THEN '{}'::pg_catalog.jsonb"
                        + " ELSE pg_catalog.jsonb_build_object('pid', c.pid) END) AS r)";
        };
    }

    /**
     * Returns a relation with a row for each client, which tells of the client's connection to Multimed, and for each other process.
     *
     * @param values SQL for the values of a client's row in JSON
     */
    private static String encryption(String name, String values) {
        return "(SELECT s.* FROM pg_catalog." + name + " AS s WHERE " + NOT_HIDDEN
                + " AND NOT EXISTS (SELECT FROM " + CLIENTS + " WHERE c.engine = s.pid)"
                + " UNION ALL SELECT r.* FROM " + CLIENTS + " CROSS JOIN LATERAL pg_catalog.jsonb_populate_record("
                + "NULL::pg_catalog." + name + ", " + values + " || pg_catalog.jsonb_build_object('pid', c.pid)) AS r"
                + " WHERE c.ssl IS NOT NULL)";
    }

    static String ownNumber() {
        return "(SELECT COALESCE(" + SELF + ", pg_catalog.pg_backend_pid()) AS pg_backend_pid)";
    }

    /** Returns the SQL before the first argument of a function. */
    static String beforeArguments(String function) {
        return "(SELECT " + (function.equals(ProcessNames.BLOCKING) ? blocking() : signal(function, false)) + " AS "
                + function + " FROM (SELECT (";
    }

    /** Returns the SQL before the first argument of {@code pg_terminate_backend} with two arguments. */
    static String beforeTwoArguments(String function) {
        return "(SELECT " + signal(function, true) + " AS " + function + " FROM (SELECT (";
    }

    static String betweenArguments() {
        return ")::pg_catalog.int4 AS p, (";
    }

    static String behindArgument(String function) {
        return ")::pg_catalog.int4 AS p OFFSET 0) AS a" + (function.equals(ProcessNames.BLOCKING) ? ")" : target());
    }

    static String behindTwoArguments() {
        return ")::pg_catalog.int8 AS t OFFSET 0) AS a" + target();
    }

    private static String target() {
        return CLIENT_OF_ARGUMENT + " LEFT JOIN pg_catalog.pg_roles AS o ON o.rolname = c.role)";
    }

    private static String signal(String function, boolean timeout) {
        boolean terminate = function.equals("pg_terminate_backend");
        String verb = terminate ? "terminate/" : "cancel/";
        return "CASE WHEN c.pid IS NULL THEN pg_catalog." + function + (timeout ? "(a.p, a.t)" : "(a.p)")
                // A signal to the session itself is left to the engine.
                + " WHEN c.pid = " + SELF + " THEN pg_catalog." + function + "(pg_catalog.pg_backend_pid())"
                + " WHEN o.rolsuper AND NOT (SELECT m.rolsuper FROM pg_catalog.pg_roles AS m"
                + " WHERE m.rolname = current_user) THEN " + denied(verb + "superuser/")
                + " WHEN pg_catalog.pg_has_role(o.oid, 'USAGE') OR pg_catalog.pg_has_role('pg_signal_backend', 'USAGE')"
                + " THEN pg_catalog.current_setting('client_min_messages') <> 'error'"
                + " AND NOT pg_catalog.pg_cancel_backend(" + (terminate ? "-a.p" : BASE + " - a.p") + ")"
                + " ELSE " + denied(verb + "role/") + " END";
    }

    /** Returns SQL that raises an error whose message Multimed replaces. */
    private static String denied(String what) {
        return "('" + DENIED + what + "' || a.p)::pg_catalog.int4 = 0";
    }

    private static String blocking() {
        return "ARRAY(SELECT COALESCE(c.pid, b.b) FROM pg_catalog.unnest(pg_catalog.pg_blocking_pids(COALESCE("
                + "(SELECT c.engine FROM " + CLIENTS + " WHERE c.pid = a.p), a.p))) AS b(b) LEFT JOIN " + CLIENTS
                + " ON c.engine = b.b)";
    }
}
