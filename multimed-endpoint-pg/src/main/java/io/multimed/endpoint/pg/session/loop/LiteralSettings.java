package io.multimed.endpoint.pg.session.loop;

import io.multimed.sql.SessionEffect;
import io.multimed.sql.Statement;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The settings by which an engine reads the text of a statement when it prepares it. What {@code '1.2.2000 00:00'} is as a
 * timestamp is decided then, once, for all who execute the statement.
 *
 * @param encoding of the text
 * @param strings how strings are written
 * @param dates in which order day and month come
 * @param intervals how intervals are written
 * @param zone of times that name none
 * @param others those that an engine does not report, as far as the session has set them
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
     * Of a session.
     *
     * @param reported what its engine has told
     * @param others as {@link #others(Map)} finds them
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

    /** What they are nobody knows: unlike all others. */
    public static LiteralSettings unknown() {
        return new LiteralSettings("", "", "", "", "", Map.of("", Long.toString(UNKNOWN.incrementAndGet())));
    }

    private static String value(Map<String, String> reported, String name) {
        return reported.getOrDefault(name, "");
    }

    /** Of the settings of a session those that are not reported. */
    public static Map<String, String> others(Map<String, String> set) {
        Map<String, String> others = new TreeMap<>(set);
        others.keySet().retainAll(OTHERS);
        return Map.copyOf(others);
    }

    /** Whether these are a session's; asked for every Bind. */
    public boolean are(Map<String, String> reported, Map<String, String> itsOthers) {
        return zone.equals(value(reported, ZONE))
                && dates.equals(value(reported, DATES))
                && encoding.equals(value(reported, ENCODING))
                && intervals.equals(value(reported, INTERVALS))
                && strings.equals(value(reported, STRINGS))
                && others.equals(itsOthers);
    }

    /** Whether a statement sets one of them, be it for its transaction alone; of code in the engine that is not known. */
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
