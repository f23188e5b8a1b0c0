package io.multimed.jdbc.url;

import io.multimed.engine.embedded.EmbeddedOptions;
import io.multimed.engine.embedded.ReadPolicy;
import io.multimed.jdbc.errors.Errors;
import io.multimed.model.Freshness;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The values of Multimed's own options. */
public final class OptionValues {
    private OptionValues() {}

    static int replicas(@Nullable String value) throws SQLException {
        if (value == null) {
            return Math.max(2, Math.min(4, Runtime.getRuntime().availableProcessors()));
        }
        int replicas;
        try {
            replicas = Integer.parseInt(value);
        } catch (NumberFormatException e) {
            replicas = 0;
        }
        if (replicas < 1 || replicas > EmbeddedOptions.MAX_REPLICAS) {
            throw Errors.invalid("replicas=" + value + " is not possible: give the number of engines in all, 1 to "
                    + EmbeddedOptions.MAX_REPLICAS + ".");
        }
        return replicas;
    }

    static ReadPolicy policy(@Nullable String value) throws SQLException {
        if (value == null) {
            return ReadPolicy.STICKY;
        }
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "sticky" -> ReadPolicy.STICKY;
            case "least-active" -> ReadPolicy.LEAST_ACTIVE;
            case "round-robin" -> ReadPolicy.ROUND_ROBIN;
            default ->
                throw Errors.invalid("policy=" + value + " is not known: use sticky, least-active or round-robin.");
        };
    }

    /** Parses {@code strong}, {@code session}, {@code eventual} or {@code eventual:500ms}. */
    public static Freshness freshness(String value) throws SQLException {
        String lower = value.toLowerCase(Locale.ROOT);
        if (lower.equals("strong")) {
            return Freshness.STRONG;
        }
        if (lower.equals("session")) {
            return Freshness.SESSION;
        }
        if (lower.equals("eventual")) {
            return Freshness.EVENTUAL;
        }
        if (lower.startsWith("eventual:")) {
            return new Freshness.Eventual(duration("freshness", lower.substring("eventual:".length())));
        }
        throw Errors.invalid("freshness=" + value
                + " is not known: use strong, session, eventual, or eventual with the lag allowed, eventual:500ms.");
    }

    static boolean onMaster(OwnOptions own) throws SQLException {
        String route = own.get("route", "auto");
        return switch (route.toLowerCase(Locale.ROOT)) {
            case "auto" -> false;
            case "master" -> true;
            default ->
                throw Errors.invalid("route=" + route
                        + " is not known: use auto, or master to have all reads of the connection there.");
        };
    }

    static int compare(@Nullable String value) throws SQLException {
        if (value == null) {
            return EmbeddedOptions.DEFAULT_COMPARE;
        }
        Matcher percent = Pattern.compile("(\\d{1,3})%?").matcher(value);
        if (!percent.matches() || Integer.parseInt(percent.group(1)) > EmbeddedOptions.MAX_COMPARE) {
            throw Errors.invalid("comparison=" + value
                    + " is not understood: give the percent of a core that the comparison of replicas"
                    + " with the master may take, 1 say, or 0 for none.");
        }
        return Integer.parseInt(percent.group(1));
    }

    static Duration patience(@Nullable String value) throws SQLException {
        return value == null ? Duration.ofSeconds(2) : duration("patience", value.toLowerCase(Locale.ROOT));
    }

    private static Duration duration(String option, String value) throws SQLException {
        Matcher time = Pattern.compile("(\\d{1,9})(ms|s)?").matcher(value);
        if (!time.matches()) {
            throw Errors.invalid(
                    "The time " + value + " of " + option + " is not understood: give milliseconds, 500ms or 2s.");
        }
        long amount = Long.parseLong(time.group(1));
        return "s".equals(time.group(2)) ? Duration.ofSeconds(amount) : Duration.ofMillis(amount);
    }
}
