package io.multimed.endpoint.pg.session.settings;

import io.multimed.sql.Isolation;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

    private static final Pattern TIME = Pattern.compile("\\s*(\\d+(?:\\.\\d*)?)\\s*(us|ms|s|min|h|d)?\\s*");
    private static final Set<String> ON = Set.of("on", "true", "yes", "1");

    static SessionDefaults of(Map<String, String> reported, Map<String, String> set) {
        return new SessionDefaults(
                ON.contains(String.valueOf(latest("default_transaction_read_only", reported, set))
                        .toLowerCase(Locale.ROOT)),
                isolation(latest(Login.ISOLATION, reported, set)),
                millis(latest(Login.IDLE_TIMEOUT, reported, set)),
                millis(latest(Login.TRANSACTION_TIMEOUT, reported, set)),
                millis(latest(Login.STATEMENT_TIMEOUT, reported, set)));
    }

    private static @Nullable String latest(String name, Map<String, String> reported, Map<String, String> set) {
        String value = set.get(name);
        return value != null ? value : reported.get(name);
    }

    /** A number of milliseconds, as engines tell it, or of another unit, as clients set it. */
    private static long millis(@Nullable String value) {
        if (value == null) {
            return 0;
        }
        Matcher time = TIME.matcher(value);
        if (!time.matches()) {
            return 0;
        }
        double millis = switch (Objects.requireNonNullElse(time.group(2), "ms")) {
            case "us" -> 0.001;
            case "s" -> 1000;
            case "min" -> 60_000;
            case "h" -> 3_600_000;
            case "d" -> 86_400_000;
            default -> 1;
        };
        return Math.round(millis * Double.parseDouble(time.group(1)));
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
