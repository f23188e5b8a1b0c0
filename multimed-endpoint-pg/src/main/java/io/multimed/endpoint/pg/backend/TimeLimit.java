package io.multimed.endpoint.pg.backend;

import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parser for engine parameters that are time limits. */
public final class TimeLimit {
    private static final Pattern TIME = Pattern.compile("\\s*(\\d+(?:\\.\\d*)?)\\s*(us|ms|s|min|h|d)?\\s*");
    /**
     * Time within which an engine executes any statement of Multimed's own, even on a busy machine. Only with a shorter limit do
     * messages that rely on such a statement wait until it has been executed.
     */
    private static final long SUFFICIENT_MILLIS = 1_000;

    private TimeLimit() {}

    /**
     * Returns the limit in milliseconds; 0 if there is none. The value is in milliseconds, as engines report it, or has a unit, as
     * clients set it.
     */
    public static long millis(@Nullable String value) {
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

    /** Whether a statement of Multimed's own may take longer than this limit. */
    public static boolean isShort(@Nullable String value) {
        long millis = millis(value);
        return millis > 0 && millis < SUFFICIENT_MILLIS;
    }
}
