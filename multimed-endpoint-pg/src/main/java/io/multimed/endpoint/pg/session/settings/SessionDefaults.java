package io.multimed.endpoint.pg.session.settings;

import io.multimed.sql.Isolation;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The transaction characteristics that a session's statements get when they state none, and how long a block may be idle or
 * open (0: as long as it likes): what the engine told at the start, then what the session set.
 */
public record SessionDefaults(
        boolean readOnly,
        Isolation isolation,
        long idleInTransactionMillis,
        long transactionMillis,
        long statementMillis) {

    static SessionDefaults of(Map<String, String> reported, Map<String, String> set) {
        return new SessionDefaults(
                "on".equals(latest("default_transaction_read_only", reported, set)),
                isolation(latest(Login.ISOLATION, reported, set)),
                millis(latest(Login.IDLE_TIMEOUT, reported, set)),
                millis(latest(Login.TRANSACTION_TIMEOUT, reported, set)),
                millis(latest(Login.STATEMENT_TIMEOUT, reported, set)));
    }

    private static @Nullable String latest(String name, Map<String, String> reported, Map<String, String> set) {
        String value = set.get(name);
        return value != null ? value : reported.get(name);
    }

    private static long millis(@Nullable String value) {
        return value == null ? 0 : Long.parseLong(value);
    }

    private static Isolation isolation(@Nullable String value) {
        return switch (value) {
            case "serializable" -> Isolation.SERIALIZABLE;
            case "repeatable read" -> Isolation.REPEATABLE_READ;
            case "read uncommitted" -> Isolation.READ_UNCOMMITTED;
            case null, default -> Isolation.READ_COMMITTED;
        };
    }
}
