package io.multimed.endpoint.pg.backend;

import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The values of an engine's parameters that limit how long something may take. */
public final class TimeLimit {
    private static final Pattern TIME = Pattern.compile("\\s*(\\d+(?:\\.\\d*)?)\\s*(us|ms|s|min|h|d)?\\s*");
    /**
     * Within this time an engine executes any statement of Multimed's own, even on a machine that is busy. Only with a shorter limit what
     * relies on such a statement waits until it has been executed.
     */
    private static final long SUFFICIENT_MILLIS = 1_000;

    private TimeLimit() {}

    /** A number of milliseconds, as engines tell it, or of another unit, as clients set it; 0 if there is no limit. */
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

    /** Whether a statement of Multimed's own may take longer. */
    public static boolean isShort(@Nullable String value) {
        long millis = millis(value);
        return millis > 0 && millis < SUFFICIENT_MILLIS;
    }
}
