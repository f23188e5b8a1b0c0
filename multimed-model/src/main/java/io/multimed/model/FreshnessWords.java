package io.multimed.model;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The words for a {@link Freshness}, as sessions choose it by {@code multimed.freshness} and {@code multimed.max_lag}. */
public final class FreshnessWords {
    private static final Pattern LAG = Pattern.compile("(\\d{1,9})\\s*(ms|s|min)?");

    private FreshnessWords() {}

    /** Returns the word for a freshness: strong, session or eventual. */
    public static String of(Freshness freshness) {
        return freshness instanceof Freshness.Eventual
                ? "eventual"
                : freshness instanceof Freshness.Session ? "session" : "strong";
    }

    /** Whether there is a freshness with this word. */
    public static boolean isKnown(String word) {
        return word.equals("strong") || word.equals("session") || word.equals("eventual");
    }

    /** Returns the lag that a freshness permits; that of {@link Freshness#EVENTUAL} if it is no eventual one. */
    public static Duration lag(Freshness freshness) {
        return freshness instanceof Freshness.Eventual eventual ? eventual.maxLag() : Freshness.EVENTUAL.maxLag();
    }

    /** Reads a lag: milliseconds, or a number with ms, s or min. @return null if the text is no lag */
    public static @Nullable Duration lag(String text) {
        Matcher matcher = LAG.matcher(text.strip());
        if (!matcher.matches()) {
            return null;
        }
        long number = Long.parseLong(matcher.group(1));
        String unit = matcher.group(2);
        if (unit == null || unit.equals("ms")) {
            return Duration.ofMillis(number);
        }
        return unit.equals("s") ? Duration.ofSeconds(number) : Duration.ofMinutes(number);
    }

    /**
     * Returns the freshness that settings select.
     *
     * @param word null if none is chosen
     * @param lag null if none is chosen; it counts for eventual freshness alone
     */
    public static Freshness chosen(@Nullable String word, @Nullable String lag, Freshness otherwise) {
        String effective = word == null && lag != null && otherwise instanceof Freshness.Eventual ? "eventual" : word;
        if (effective == null) {
            return otherwise;
        }
        switch (effective) {
            case "strong" -> {
                return Freshness.STRONG;
            }
            case "session" -> {
                return Freshness.SESSION;
            }
            case "eventual" -> {
                Duration maxLag = lag == null ? null : lag(lag);
                return maxLag == null ? Freshness.EVENTUAL : new Freshness.Eventual(maxLag);
            }
            default -> {
                return otherwise;
            }
        }
    }
}
