package io.multimed.endpoint.mysql.session;

import io.multimed.core.session.SessionFreshness;
import io.multimed.model.Freshness;
import io.multimed.model.FreshnessWords;
import io.multimed.protocol.mysql.ErrMessage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The session's choices for its reads, as {@code SET multimed.…} makes them. Used on its loop alone. */
final class ReadChoices {
    private static final String FRESHNESS = "freshness";
    private static final String MAX_LAG = "max_lag";
    private static final String READS = "reads";
    private static final String ROUTE = "route";
    private static final String ANYWHERE = "anywhere";
    private static final String ON_MASTER = "master";

    private final SessionFreshness freshness;
    private final Supplier<Freshness> standard;
    private final SessionPlacements placements;
    private @Nullable String word;
    private @Nullable String lag;
    private String reads = ANYWHERE;

    /** @param standard the freshness of sessions that choose none */
    ReadChoices(SessionFreshness freshness, Supplier<Freshness> standard, SessionPlacements placements) {
        this.freshness = freshness;
        this.standard = standard;
        this.placements = placements;
    }

    /** Forgets all choices, at the beginning of a session. */
    void reset() {
        word = null;
        lag = null;
        reads = ANYWHERE;
        freshness.choose(standard.get());
    }

    /** Whether the session wants all its reads on the Master. */
    boolean areOnMaster() {
        return reads.equals(ON_MASTER);
    }

    /** Returns the value of a setting; null if there is no such setting. */
    @Nullable
    String value(String name) {
        return switch (name) {
            case FRESHNESS -> FreshnessWords.of(freshness.chosen());
            case MAX_LAG -> {
                String chosen = lag;
                yield chosen == null ? FreshnessWords.lag(freshness.chosen()).toMillis() + "ms" : chosen;
            }
            case READS -> reads;
            case ROUTE -> placements.text();
            default -> null;
        };
    }

    /** @param value null for the default. @return the error; null if the choice was made */
    @Nullable
    ErrMessage choose(String name, @Nullable String value) {
        switch (name) {
            case FRESHNESS -> {
                if (value != null && !FreshnessWords.isKnown(value)) {
                    return MysqlErrors.wrongValue(name, value, "strong, session or eventual");
                }
                word = value;
            }
            case MAX_LAG -> {
                if (value != null && FreshnessWords.lag(value) == null) {
                    return MysqlErrors.wrongValue(name, value, "milliseconds, or a number with ms, s or min");
                }
                lag = value;
            }
            case READS -> {
                if (value != null && !value.equals(ANYWHERE) && !value.equals("declared") && !value.equals(ON_MASTER)) {
                    return MysqlErrors.wrongValue(name, value, "anywhere, declared or master");
                }
                reads = value == null ? ANYWHERE : value;
            }
            case ROUTE -> {
                return MysqlErrors.readOnlySetting(name);
            }
            default -> {
                return MysqlErrors.unknownSetting(name);
            }
        }
        freshness.choose(FreshnessWords.chosen(word, lag, standard.get()));
        return null;
    }
}
