package io.multimed.endpoint.pg.backend;

import java.util.Map;
import java.util.TreeMap;

/**
 * Run-time parameters that a session has set ({@code pg_settings.source = 'session'}), name to value as
 * {@code set_config} takes it.
 *
 * @param values sorted by name
 */
public record Settings(Map<String, String> values) {
    public static final Settings NONE = new Settings(Map.of());
    /** Of an engine session that could not be told what it was to be. */
    public static final Settings UNKNOWN = new Settings(Map.of("", ""));

    /**
     * First statement of a query that Multimed executes between a client's transactions. The client's default isolation is
     * not for it: a hot standby refuses queries under SERIALIZABLE, and a deferrable one waits for other transactions.
     */
    public static final String READ_COMMITTED = "SET TRANSACTION ISOLATION LEVEL READ COMMITTED;";

    private static final String NEVER = "0";
    private static final String STATEMENT_TIMEOUT = "statement_timeout";
    private static final String IDLE_TIMEOUT = "idle_session_timeout";
    private static final String TRANSACTION_TIMEOUT = "transaction_timeout";

    /** SQL by which an engine session has the settings with which it began. */
    public static final String RESET_ALL = "RESET ALL";

    /** SQL by which no statement behind is ended for taking long. */
    public static final String UNHURRIED = "SET statement_timeout = 0";

    public Settings {
        values = values.isEmpty() ? Map.of() : new TreeMap<>(values);
    }

    /** The same, under which no statement is ended for taking long. */
    public Settings unhurried() {
        return with(STATEMENT_TIMEOUT);
    }

    /** Whether the engine may end the session by itself, within a transaction of whomever or between two. */
    boolean endSessions() {
        if (values.isEmpty()) {
            return false;
        }
        String idle = values.get(IDLE_TIMEOUT);
        return idle != null && !idle.equals(NEVER) || TimeLimit.isShort(values.get(TRANSACTION_TIMEOUT));
    }

    /** The same, under which it does not. */
    Settings withoutEndings() {
        Settings calm = values.containsKey(IDLE_TIMEOUT) ? with(IDLE_TIMEOUT) : this;
        return values.containsKey(TRANSACTION_TIMEOUT) ? calm.with(TRANSACTION_TIMEOUT) : calm;
    }

    private Settings with(String noTimeout) {
        Map<String, String> changed = new TreeMap<>(values);
        changed.put(noTimeout, NEVER);
        return new Settings(changed);
    }

    /** Asked for every transaction; mostly of the same object. */
    @Override
    public boolean equals(Object other) {
        return this == other || other instanceof Settings that && values.equals(that.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    /**
     * The SQL that turns an engine session with settings {@code from} into one with {@code to}.
     *
     * <p>{@code set_config} rather than SET: it takes a list such as {@code search_path} in the very form in which
     * {@code pg_settings} shows it.
     *
     * <p>The timeout of statements comes last, so that it hits none of these.
     *
     * @param utf8 whether the engine session speaks UTF-8 until it hears this; otherwise it is told in ASCII alone
     */
    public static String transition(Settings from, Settings to, boolean utf8) {
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

    /** A parameter's name, possibly qualified, each part quoted. */
    private static String identifier(String name) {
        return '"' + name.replace("\"", "\"\"").replace(".", "\".\"") + '"';
    }

    /**
     * A string constant that means the same whatever standard_conforming_strings says.
     *
     * @param utf8 whether the engine session speaks UTF-8; otherwise it is in ASCII, which means the same in any encoding
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
