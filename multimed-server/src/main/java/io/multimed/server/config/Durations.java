package io.multimed.server.config;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lengths of time as people write them: {@code 50ms}, {@code 10s}, {@code 5min}. */
final class Durations {
    static final String FORM = "a length of time such as \"50ms\", \"10s\" or \"5min\"";

    private static final Pattern WRITTEN = Pattern.compile("([0-9]{1,9})\\s*(ms|s|min|h)");

    private Durations() {}

    /** @throws IllegalArgumentException one sentence that says what is allowed */
    static Duration parse(String text) {
        Matcher matcher = WRITTEN.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("must be " + FORM + ", not \"" + text + "\"");
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "min" -> Duration.ofMinutes(amount);
            default -> Duration.ofHours(amount);
        };
    }
}
