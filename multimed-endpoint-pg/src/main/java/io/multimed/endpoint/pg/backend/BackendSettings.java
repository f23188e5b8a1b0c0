package io.multimed.endpoint.pg.backend;

import java.util.Map;
import java.util.TreeMap;

/**
 * Run-time parameters that a session has set ({@code pg_settings.source = 'session'}); names and values in the form that
 * {@code set_config} takes.
 *
 * @param values sorted by name
 */
public record BackendSettings(Map<String, String> values) {
    public static final BackendSettings NONE = new BackendSettings(Map.of());
    /** Settings of an engine session that could not be given the intended ones. */
    public static final BackendSettings UNKNOWN = new BackendSettings(Map.of("", ""));

    /**
     * First statement of a query that Multimed executes between a client's transactions. The query must not use the client's
     * default isolation: a hot standby refuses queries under SERIALIZABLE, and a deferrable transaction waits for others.
     */
    public static final String READ_COMMITTED = "SET TRANSACTION ISOLATION LEVEL READ COMMITTED;";

    static final String READ_ONLY = "default_transaction_read_only";
    private static final String NEVER = "0";
    private static final String STATEMENT_TIMEOUT = "statement_timeout";
    private static final String IDLE_TIMEOUT = "idle_session_timeout";
    private static final String TRANSACTION_TIMEOUT = "transaction_timeout";

    /** SQL that restores the settings with which an engine session began. */
    public static final String RESET_ALL = "RESET ALL";

    /** SQL that exempts all later statements from the statement timeout. */
    public static final String UNHURRIED = "SET statement_timeout = 0";

    public BackendSettings {
        values = values.isEmpty() ? Map.of() : new TreeMap<>(values);
    }

    /** Returns these settings without a statement timeout. */
    public BackendSettings unhurried() {
        return with(STATEMENT_TIMEOUT);
    }

    /**
     * Returns these settings for the engine of a partial Satellite. Transactions there read only by default, which no client may
     * change: unlike a standby, the engine could write.
     */
    public BackendSettings ofReader() {
        if (!values.containsKey(READ_ONLY)) {
            return this;
        }
        Map<String, String> changed = new TreeMap<>(values);
        changed.remove(READ_ONLY);
        return new BackendSettings(changed);
    }

    /** Whether the engine may end the session by itself, within a transaction of any client or between two. */
    boolean endSessions() {
        if (values.isEmpty()) {
            return false;
        }
        String idle = values.get(IDLE_TIMEOUT);
        return (idle != null && !idle.equals(NEVER)) || TimeLimit.isShort(values.get(TRANSACTION_TIMEOUT));
    }

    /** Returns these settings without the timeouts by which the engine ends sessions. */
    BackendSettings withoutEndings() {
        BackendSettings calm = values.containsKey(IDLE_TIMEOUT) ? with(IDLE_TIMEOUT) : this;
        return values.containsKey(TRANSACTION_TIMEOUT) ? calm.with(TRANSACTION_TIMEOUT) : calm;
    }

    private BackendSettings with(String noTimeout) {
        Map<String, String> changed = new TreeMap<>(values);
        changed.put(noTimeout, NEVER);
        return new BackendSettings(changed);
    }

    /** Called for every transaction, mostly with the same object. */
    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof BackendSettings that && values.equals(that.values));
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    /**
     * Returns the SQL that turns an engine session with settings {@code from} into one with {@code to}.
     *
     * <p>It uses {@code set_config} rather than SET, because that takes a list such as {@code search_path} in the form in which
     * {@code pg_settings} shows it.
     *
     * <p>The statement timeout comes last, so that it affects none of these statements.
     *
     * @param utf8 whether the engine session uses UTF-8 until it executes this; otherwise the SQL is in ASCII
     */
    public static String transition(BackendSettings from, BackendSettings to, boolean utf8) {
        StringBuilder sql = new StringBuilder();
        if (from.equals(UNKNOWN)) {
            sql.append(RESET_ALL).append(';');
        }
        for (String name : from.values.keySet()) {
            if (!to.values.containsKey(name) && !name.isEmpty() && !name.equals(STATEMENT_TIMEOUT)) {
                reset(sql, name);
            }
        }
        StringBuilder settings = new StringBuilder();
        to.values.forEach((name, value) -> {
            if (!value.equals(from.values.get(name)) && !name.equals(STATEMENT_TIMEOUT)) {
                set(settings, name, value, utf8);
            }
        });
        String timeout = to.values.get(STATEMENT_TIMEOUT);
        if (timeout != null && !timeout.equals(from.values.get(STATEMENT_TIMEOUT))) {
            set(settings, STATEMENT_TIMEOUT, timeout, utf8);
        }
        if (!settings.isEmpty()) {
            sql.append(READ_COMMITTED).append(settings);
        }
        if (timeout == null && from.values.containsKey(STATEMENT_TIMEOUT)) {
            reset(sql, STATEMENT_TIMEOUT);
        }
        return sql.toString();
    }

    private static void reset(StringBuilder sql, String name) {
        sql.append("RESET ").append(identifier(name)).append(';');
    }

    private static void set(StringBuilder sql, String name, String value, boolean utf8) {
        String wanted = name.equals("application_name") ? ApplicationName.settable(value) : value;
        sql.append("SELECT pg_catalog.set_config(")
                .append(literal(name, utf8))
                .append(',')
                .append(literal(wanted, utf8))
                .append(",false);");
    }

    /** Returns a parameter's name, possibly qualified, with each part quoted. */
    private static String identifier(String name) {
        return '"' + name.replace("\"", "\"\"").replace(".", "\".\"") + '"';
    }

    /**
     * Returns a string constant that means the same for any value of standard_conforming_strings.
     *
     * @param utf8 whether the engine session uses UTF-8; otherwise the constant is in ASCII, which means the same in any
     *     encoding
     */
    public static String literal(String value, boolean utf8) {
        boolean plain = utf8 || value.chars().allMatch(c -> c < 0x80);
        String quoted = value.replace("'", "''");
        if (plain && quoted.indexOf('\\') < 0) {
            return '\'' + quoted + '\'';
        }
        String escaped = quoted.replace("\\", "\\\\");
        return " E'" + (plain ? escaped : inAscii(escaped)) + '\'';
    }

    private static String inAscii(String text) {
        StringBuilder ascii = new StringBuilder(2 * text.length());
        text.codePoints().forEach(c -> {
            if (c < 0x80) {
                ascii.append((char) c);
            } else {
                ascii.append(String.format("\\U%08X", c));
            }
        });
        return ascii.toString();
    }
}
