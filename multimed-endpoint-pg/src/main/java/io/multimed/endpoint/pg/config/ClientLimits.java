package io.multimed.endpoint.pg.config;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Limits for clients by their role and database, with PgBouncer's names. What is set for a role wins over what is set for a database,
 * and that over what is set in general. Zero is no limit.
 */
public record ClientLimits(
        Map<Limit, Long> general, Map<String, Map<Limit, Long>> users, Map<String, Map<Limit, Long>> databases) {
    /** No limits. */
    public static final ClientLimits NONE = new ClientLimits(Map.of(), Map.of(), Map.of());

    public ClientLimits {
        general = copy(general);
        users = copies(users);
        databases = copies(databases);
    }

    /** The kinds of limits. */
    public enum Limit {
        /** Connected clients of one role. */
        MAX_USER_CLIENT_CONNECTIONS(false),
        /** Connected clients of one database. */
        MAX_DB_CLIENT_CONNECTIONS(false),
        /** Sessions of one role that hold connections to engines: about as many as it has transactions under way. */
        MAX_USER_CONNECTIONS(false),
        /** The same for one database. */
        MAX_DB_CONNECTIONS(false),
        /** Milliseconds from a statement's arrival to its end. */
        QUERY_TIMEOUT(true),
        /** Milliseconds that a statement waits before an engine has it. */
        QUERY_WAIT_TIMEOUT(true),
        /** Milliseconds that a client lets a transaction wait for its next statement. */
        IDLE_TRANSACTION_TIMEOUT(true),
        /** Milliseconds from the begin of a transaction to its end. */
        TRANSACTION_TIMEOUT(true);

        private final boolean time;

        Limit(boolean time) {
            this.time = time;
        }

        /** Whether it is a time, in milliseconds; otherwise it is a number. */
        public boolean isTime() {
            return time;
        }

        /** Its name in the configuration. */
        public String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static Map<Limit, Long> copy(Map<Limit, Long> limits) {
        Map<Limit, Long> copy = new EnumMap<>(Limit.class);
        copy.putAll(limits);
        return Map.copyOf(copy);
    }

    private static Map<String, Map<Limit, Long>> copies(Map<String, Map<Limit, Long>> byName) {
        Map<String, Map<Limit, Long>> copies = new HashMap<>();
        byName.forEach((name, limits) -> copies.put(name, copy(limits)));
        return Map.copyOf(copies);
    }

    /** Returns the limit for clients of this role in this database; 0 if there is none. */
    public long of(Limit limit, String user, String database) {
        Long ofUser = users.getOrDefault(user, Map.of()).get(limit);
        Long ofDatabase = databases.getOrDefault(database, Map.of()).get(limit);
        return ofUser != null ? ofUser : ofDatabase != null ? ofDatabase : general.getOrDefault(limit, 0L);
    }

    /** Whether any time is limited for anybody. */
    public boolean limitTimes() {
        return Stream.concat(Stream.of(general), Stream.concat(users.values().stream(), databases.values().stream()))
                .flatMap(limits -> limits.entrySet().stream())
                .anyMatch(limit -> limit.getKey().isTime() && limit.getValue() > 0);
    }
}
