package io.multimed.endpoint.pg.session.settings;

import io.multimed.endpoint.pg.backend.BackendSettings;
import io.multimed.endpoint.pg.backend.TimeLimit;
import io.multimed.sql.Isolation;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The default transaction characteristics of a session and its timeouts for idle blocks, open blocks and statements in milliseconds
 * (0: no limit). They are the values that the engine reported at the start, replaced by those that the session has set.
 */
public record SessionDefaults(
        boolean readOnly,
        Isolation isolation,
        long idleInTransactionMillis,
        long transactionMillis,
        long statementMillis) {

    private static final Set<String> ON = Set.of("on", "true", "yes", "1");

    static SessionDefaults of(Map<String, String> reported, Map<String, String> set) {
        return new SessionDefaults(
                ON.contains(String.valueOf(latest("default_transaction_read_only", reported, set))
                        .toLowerCase(Locale.ROOT)),
                isolation(latest(Login.ISOLATION, reported, set)),
                TimeLimit.millis(latest(Login.IDLE_TIMEOUT, reported, set)),
                TimeLimit.millis(latest(Login.TRANSACTION_TIMEOUT, reported, set)),
                TimeLimit.millis(latest(Login.STATEMENT_TIMEOUT, reported, set)));
    }

    /**
     * Whether the statement timeout of an engine session with these settings may end Multimed's own statements.
     *
     * @param reported the parameters that the engine reported at the start of such a session
     */
    public static boolean areHurried(Map<String, String> reported, BackendSettings settings) {
        return settings.equals(BackendSettings.UNKNOWN)
                || TimeLimit.isShort(latest(Login.STATEMENT_TIMEOUT, reported, settings.values()));
    }

    private static @Nullable String latest(String name, Map<String, String> reported, Map<String, String> set) {
        String value = set.get(name);
        return value != null ? value : reported.get(name);
    }

    private static Isolation isolation(@Nullable String value) {
        return switch (value == null ? null : value.toLowerCase(Locale.ROOT)) {
            case "serializable" -> Isolation.SERIALIZABLE;
            case "repeatable read" -> Isolation.REPEATABLE_READ;
            case "read uncommitted" -> Isolation.READ_UNCOMMITTED;
            case null, default -> Isolation.READ_COMMITTED;
        };
    }
}
