package io.multimed.server.config;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parser for lengths of time: {@code 50us}, {@code 50ms}, {@code 10s}, {@code 5min}, {@code 1h}. */
public final class Durations {
    static final String FORM = "a length of time such as \"50ms\", \"10s\" or \"5min\"";

    /** Units, from the shortest to the longest. */
    private static final SequencedMap<String, Duration> UNITS = new LinkedHashMap<>();

    static {
        UNITS.put("us", ChronoUnit.MICROS.getDuration());
        UNITS.put("ms", ChronoUnit.MILLIS.getDuration());
        UNITS.put("s", ChronoUnit.SECONDS.getDuration());
        UNITS.put("min", ChronoUnit.MINUTES.getDuration());
        UNITS.put("h", ChronoUnit.HOURS.getDuration());
    }

    private static final Pattern WRITTEN =
            Pattern.compile("([0-9]{1,9})\\s*(" + String.join("|", UNITS.keySet()) + ")");

    private Durations() {}

    /** @throws IllegalArgumentException with one sentence that states the allowed form */
    static Duration parse(String text) {
        Matcher matcher = WRITTEN.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("must be " + FORM + ", not \"" + text + "\"");
        }
        return Objects.requireNonNull(UNITS.get(matcher.group(2))).multipliedBy(Long.parseLong(matcher.group(1)));
    }

    /** Formats a duration in the longest unit that divides it; fractions of the shortest unit are dropped. */
    public static String text(Duration duration) {
        for (Map.Entry<String, Duration> unit : UNITS.reversed().entrySet()) {
            long amount = duration.dividedBy(unit.getValue());
            if (duration.equals(unit.getValue().multipliedBy(amount))) {
                return amount + unit.getKey();
            }
        }
        return duration.dividedBy(UNITS.firstEntry().getValue())
                + UNITS.firstEntry().getKey();
    }
}
