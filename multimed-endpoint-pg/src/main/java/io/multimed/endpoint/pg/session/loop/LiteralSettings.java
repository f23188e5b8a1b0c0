package io.multimed.endpoint.pg.session.loop;

import io.multimed.sql.SessionEffect;
import io.multimed.sql.Statement;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The settings by which an engine reads the literals of a statement when it prepares it. For example, the engine decides at that
 * moment which timestamp {@code '1.2.2000 00:00'} is, and the decision holds for every later execution.
 *
 * @param encoding encoding of the text
 * @param strings notation of strings
 * @param dates order of day and month
 * @param intervals notation of intervals
 * @param zone time zone of times that name none
 * @param others the settings that an engine does not report, as far as the session has set them
 */
public record LiteralSettings(
        String encoding, String strings, String dates, String intervals, String zone, Map<String, String> others) {
    private static final String ENCODING = "client_encoding";
    private static final String STRINGS = "standard_conforming_strings";
    private static final String DATES = "DateStyle";
    private static final String INTERVALS = "IntervalStyle";
    private static final String ZONE = "TimeZone";
    private static final Set<String> OTHERS = Set.of(
            "array_nulls",
            "backslash_quote",
            "lc_monetary",
            "timezone_abbreviations",
            "transform_null_equals",
            "xmloption");

    private static final AtomicLong UNKNOWN = new AtomicLong();

    /**
     * Returns the literal settings of a session.
     *
     * @param reported the parameters that its engine has reported
     * @param others the other settings, as {@link #others(Map)} finds them
     */
    public static LiteralSettings of(Map<String, String> reported, Map<String, String> others) {
        return new LiteralSettings(
                value(reported, ENCODING),
                value(reported, STRINGS),
                value(reported, DATES),
                value(reported, INTERVALS),
                value(reported, ZONE),
                others);
    }

    /** Returns a value for unknown settings. It equals no other value. */
    public static LiteralSettings unknown() {
        return new LiteralSettings("", "", "", "", "", Map.of("", Long.toString(UNKNOWN.incrementAndGet())));
    }

    private static String value(Map<String, String> reported, String name) {
        return reported.getOrDefault(name, "");
    }

    /** Returns those literal settings of a session that engines do not report. */
    public static Map<String, String> others(Map<String, String> set) {
        Map<String, String> others = new TreeMap<>(set);
        others.keySet().retainAll(OTHERS);
        return Map.copyOf(others);
    }

    /** Whether these are the settings of a session. Called for every Bind. */
    public boolean are(Map<String, String> reported, Map<String, String> itsOthers) {
        return zone.equals(value(reported, ZONE))
                && dates.equals(value(reported, DATES))
                && encoding.equals(value(reported, ENCODING))
                && intervals.equals(value(reported, INTERVALS))
                && strings.equals(value(reported, STRINGS))
                && others.equals(itsOthers);
    }

    /**
     * Whether a statement sets one of these settings, even if only for its transaction. Code in the engine may set them unnoticed.
     */
    public static boolean maySet(Statement statement) {
        return switch (statement) {
            case Statement.Set set -> isOne(set.name());
            case Statement.Reset reset -> reset.name() == null || isOne(reset.name());
            case Statement.Discard discard -> discard.what() == Statement.Discard.What.ALL;
            case Statement.Update update -> update.effect() == SessionEffect.SETTINGS;
            default -> false;
        };
    }

    private static boolean isOne(String name) {
        return OTHERS.contains(name)
                || name.equals(ENCODING)
                || name.equals(STRINGS)
                || name.equals(DATES.toLowerCase(Locale.ROOT))
                || name.equals(INTERVALS.toLowerCase(Locale.ROOT))
                || name.equals(ZONE.toLowerCase(Locale.ROOT));
    }
}
