package io.multimed.sql;

import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The settings that apply to the current transaction alone. SET of one of them is another notation for SET TRANSACTION. */
final class TransactionSettings {
    private TransactionSettings() {}

    /** Returns the equivalent SET TRANSACTION; null if the setting is none of these, or has a value that PostgreSQL refuses. */
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

    /**
     * Parses a boolean as PostgreSQL does: {@code on}, {@code 1} and prefixes of {@code true} and {@code yes}; likewise the
     * opposites.
     */
    private static @Nullable Boolean bool(String value) {
        String lower = value.toLowerCase(Locale.ROOT);
        if (lower.isEmpty()) {
            return null;
        }
        if (lower.equals("on") || lower.equals("1") || "true".startsWith(lower) || "yes".startsWith(lower)) {
            return true;
        }
        boolean off = lower.equals("of") || lower.equals("off") || lower.equals("0");
        return (off || "false".startsWith(lower) || "no".startsWith(lower)) ? false : null;
    }
}
