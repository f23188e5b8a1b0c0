package io.multimed.endpoint.pg.session.settings;

import io.multimed.model.Freshness;
import io.multimed.model.FreshnessWords;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import io.multimed.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings under {@code multimed.}. For the engine they are placeholders, so SET, SET LOCAL, RESET, SHOW and rollback behave as
 * with any setting. Multimed reads them and refuses invalid values.
 */
public final class MultimedSettings {
    static final String FRESHNESS = "multimed.freshness";
    static final String MAX_LAG = "multimed.max_lag";
    static final String SNAPSHOT = "multimed.snapshot";
    static final String READS = "multimed.reads";
    public static final String ROUTE = "multimed.route";

    /** The reads that may run on Satellites. */
    enum Reads {
        /** All reads; under strong freshness also those of blocks that are not declared READ ONLY and have not written yet. */
        ANYWHERE,
        /** Blocks that are declared READ ONLY, and single statements outside of blocks. */
        DECLARED,
        /** None. */
        MASTER
    }

    /** Sent alone, the statement is answered here. No engine knows the setting. */
    private static final ErrorFields TOGETHER = ErrorFields.error(
                    SqlState.FEATURE_NOT_SUPPORTED, "cannot execute SHOW multimed.route together with other statements")
            .withHint("Send it alone.");

    private MultimedSettings() {}

    /**
     * Returns the settings with which engines are started, so that SHOW returns the value in force where a session has set none.
     */
    public static Map<String, String> defaults(Freshness freshness) {
        return Map.of(
                FRESHNESS,
                FreshnessWords.of(freshness),
                MAX_LAG,
                FreshnessWords.lag(freshness).toMillis() + "ms",
                SNAPSHOT,
                "statement",
                READS,
                "anywhere");
    }

    /** The error for a SET, or for a SHOW that would be sent to an engine; null when it is valid or not about Multimed. */
    public static @Nullable ErrorFields refuse(Statement statement) {
        if (statement instanceof Statement.Show show && show.name().equals(ROUTE)) {
            return TOGETHER;
        }
        if (!(statement instanceof Statement.Set set) || !set.name().startsWith("multimed.") || set.value() == null) {
            return null;
        }
        String value = set.value();
        return switch (set.name()) {
            case FRESHNESS ->
                FreshnessWords.isKnown(value)
                        ? null
                        : invalid(set.name(), value, "Available values: strong, session, eventual.");
            case SNAPSHOT ->
                switch (value) {
                    case "statement", "transaction" -> null;
                    default -> invalid(set.name(), value, "Available values: statement, transaction.");
                };
            case READS ->
                switch (value) {
                    case "anywhere", "declared", "master" -> null;
                    default -> invalid(set.name(), value, "Available values: anywhere, declared, master.");
                };
            case MAX_LAG ->
                FreshnessWords.lag(value) != null
                        ? null
                        : invalid(set.name(), value, "Give milliseconds, or a number with ms, s or min.");
            case ROUTE ->
                new ErrorFields("ERROR", "55P02", "parameter \"multimed.route\" cannot be changed", null, null);
            default ->
                new ErrorFields(
                        "ERROR",
                        "42704",
                        "unrecognized configuration parameter \"" + set.name() + "\"",
                        null,
                        "Multimed knows multimed.freshness, multimed.max_lag, multimed.snapshot, multimed.reads"
                                + " and multimed.route.");
        };
    }

    /** Whether it is SHOW multimed.route, which Multimed itself answers. */
    public static boolean asksRoute(List<Statement> statements) {
        return statements.size() == 1
                && statements.getFirst() instanceof Statement.Show show
                && show.name().equals(ROUTE);
    }

    /** The freshness that the settings select. */
    static Freshness freshness(Map<String, String> settings, Freshness otherwise) {
        return FreshnessWords.chosen(settings.get(FRESHNESS), settings.get(MAX_LAG), otherwise);
    }

    /** Whether the settings select one snapshot for each read-only transaction. */
    static boolean snapshotPerTransaction(Map<String, String> settings, boolean otherwise) {
        String chosen = settings.get(SNAPSHOT);
        return chosen == null ? otherwise : chosen.equals("transaction");
    }

    /** The reads that the settings let run on Satellites. */
    static Reads reads(Map<String, String> settings, Reads otherwise) {
        return switch (settings.get(READS)) {
            case "anywhere" -> Reads.ANYWHERE;
            case "declared" -> Reads.DECLARED;
            case "master" -> Reads.MASTER;
            case null, default -> otherwise;
        };
    }

    /** Whether the setting of this name affects Multimed itself. */
    static boolean chooses(String name) {
        return name.equals(FRESHNESS) || name.equals(MAX_LAG) || name.equals(SNAPSHOT) || name.equals(READS);
    }

    /** The settings given at the start: by name, and by {@code -c name=value} in {@code options}. */
    static Map<String, String> atStart(Map<String, String> startup) {
        Map<String, String> settings = new java.util.HashMap<>();
        String options = startup.getOrDefault("options", "");
        Matcher given = Pattern.compile("(?:-c\\s*|--)(multimed\\.\\w+)=(\\S+)").matcher(options);
        while (given.find()) {
            settings.put(given.group(1), given.group(2));
        }
        startup.forEach((name, value) -> {
            if (name.startsWith("multimed.")) {
                settings.put(name, value);
            }
        });
        return settings;
    }

    private static ErrorFields invalid(String name, String value, String hint) {
        return ErrorFields.error(
                        SqlState.INVALID_PARAMETER_VALUE,
                        "invalid value for parameter \"" + name + "\": \"" + value + "\"")
                .withHint(hint);
    }
}
