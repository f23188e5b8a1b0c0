package io.multimed.endpoint.pg.client;

import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The meaning of the start-up parameter {@code replication}. */
enum ReplicationMode {
    /** An ordinary session. */
    NONE,
    /** A session for log and backups, of no database. */
    PHYSICAL,
    /** One that also executes SQL and decodes the log of a database. */
    DATABASE;

    /** PostgreSQL accepts beginnings of these words (parse_bool). */
    private static final List<String> TRUE = List.of("true", "yes");

    private static final List<String> FALSE = List.of("false", "no");

    /**
     * Reads a value as PostgreSQL does; returns null if PostgreSQL refuses it.
     *
     * @param value null if the parameter is missing
     */
    static @Nullable ReplicationMode of(@Nullable String value) {
        if (value == null) {
            return NONE;
        }
        if (value.equals("database")) {
            return DATABASE;
        }
        String lower = value.toLowerCase(Locale.ROOT);
        if (lower.equals("1") || lower.equals("on") || begins(TRUE, lower)) {
            return PHYSICAL;
        }
        return lower.equals("0") || lower.equals("of") || lower.equals("off") || begins(FALSE, lower) ? NONE : null;
    }

    /** PostgreSQL's refusal of a value that means nothing. */
    static ErrorFields refuse(@Nullable String value) {
        return ErrorFields.fatal(
                        SqlState.INVALID_PARAMETER_VALUE,
                        "invalid value for parameter \"replication\": \"" + value + "\"")
                .withHint("Valid values are: \"false\", 0, \"true\", 1, \"database\".");
    }

    private static boolean begins(List<String> words, String part) {
        return !part.isEmpty() && words.stream().anyMatch(word -> word.startsWith(part));
    }

    /** Adds to the parameters of a start what asks the engine for such a session. */
    void addTo(Map<String, String> startup) {
        if (this != NONE) {
            startup.put("replication", this == DATABASE ? "database" : "true");
        }
    }

    /** Refuses a name that the relay has, or may have: the Master would take such a client for its synchronous standby. */
    static @Nullable ErrorFields refuseName(String applicationName) {
        return applicationName.toLowerCase(Locale.ROOT).startsWith("multimed_")
                ? ErrorFields.fatal(
                                SqlState.INVALID_PARAMETER_VALUE,
                                "the application name \"" + applicationName + "\" is reserved for replication")
                        .withDetail("Names that begin with \"multimed_\" are Multimed's own.")
                : null;
    }
}
