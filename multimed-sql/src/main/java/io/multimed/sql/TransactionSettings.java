package io.multimed.sql;

import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The settings that hold for the current transaction alone: SET of one of these is another way to write SET TRANSACTION. */
final class TransactionSettings {
    private TransactionSettings() {}

    /** The SET TRANSACTION that means the same; null if it is none, or has a value that PostgreSQL refuses. */
    static Statement.@Nullable SetTransaction set(String name, String value) {
        return switch (name) {
            case "transaction_isolation" -> {
                Isolation level = isolation(value);
                yield level == null ? null : modes(Optional.of(level), Optional.empty(), Optional.empty());
            }
            case "transaction_read_only" -> {
                Boolean on = bool(value);
                yield on == null ? null : modes(Optional.empty(), Optional.of(on), Optional.empty());
            }
            case "transaction_deferrable" -> {
                Boolean on = bool(value);
                yield on == null ? null : modes(Optional.empty(), Optional.empty(), Optional.of(on));
            }
            default -> null;
        };
    }

    private static Statement.SetTransaction modes(
            Optional<Isolation> isolation, Optional<Boolean> readOnly, Optional<Boolean> deferrable) {
        return new Statement.SetTransaction(isolation, readOnly, deferrable, false);
    }

    private static @Nullable Isolation isolation(String value) {
        for (Isolation level : Isolation.values()) {
            if (level.sql().equalsIgnoreCase(value)) {
                return level;
            }
        }
        return null;
    }

    /** As PostgreSQL reads it: {@code on}, {@code 1}, and what {@code true}, {@code yes} begin with; likewise the opposites. */
    private static @Nullable Boolean bool(String value) {
        String lower = value.toLowerCase(Locale.ROOT);
        if (lower.isEmpty()) {
            return null;
        }
        if (lower.equals("on") || lower.equals("1") || "true".startsWith(lower) || "yes".startsWith(lower)) {
            return true;
        }
        boolean off = lower.equals("of") || lower.equals("off") || lower.equals("0");
        return off || "false".startsWith(lower) || "no".startsWith(lower) ? false : null;
    }
}
