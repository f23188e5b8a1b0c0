package io.multimed.endpoint.pg.session;

import io.multimed.sql.Isolation;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The transaction characteristics that a session's statements get when they state none: what the engine reported at the
 * start, then what the session set.
 */
record SessionDefaults(boolean readOnly, Isolation isolation) {

    static SessionDefaults of(Map<String, String> reported, Map<String, String> set) {
        return new SessionDefaults(
                "on".equals(latest("default_transaction_read_only", reported, set)),
                isolation(latest("default_transaction_isolation", reported, set)));
    }

    private static @Nullable String latest(String name, Map<String, String> reported, Map<String, String> set) {
        String value = set.get(name);
        return value != null ? value : reported.get(name);
    }

    private static Isolation isolation(@Nullable String value) {
        return switch (value) {
            case "serializable" -> Isolation.SERIALIZABLE;
            case "repeatable read" -> Isolation.REPEATABLE_READ;
            case null, default -> Isolation.READ_COMMITTED;
        };
    }
}
