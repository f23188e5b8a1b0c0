package io.multimed.sql;

import org.jspecify.annotations.Nullable;

/**
 * The possible effects of a statement, or of a name in it. Joined verdicts have the worst reason and the strongest effect of all
 * parts.
 *
 * @param reason the reason why a Satellite may not execute it; null if it may
 * @param because a few words for a person, empty if harmless
 * @param asksSequence whether it calls currval or lastval
 * @param asksChannels whether it calls pg_listening_channels
 * @param processes the server processes whose numbers it asks for
 * @param momentary whether its result may depend on the moment, or on chance: see {@link Statement.Read}
 * @param holders bits of the partial Satellites whose answer is the Master's: see {@link Statement.Read}
 * @param lacking a few words for a person: why no partial Satellite has the Master's answer; empty if that depends on relations alone
 */
record Verdict(
        @Nullable NotRead reason,
        SessionEffect effect,
        String because,
        boolean asksSequence,
        boolean asksChannels,
        Processes processes,
        boolean momentary,
        long holders,
        String lacking) {
    static final long ALL_HOLDERS = -1;

    static final Verdict HARMLESS = new Verdict(null, SessionEffect.NONE, "");

    /** Harmless except for {@link #momentary}. */
    static final Verdict MOMENTARY =
            new Verdict(null, SessionEffect.NONE, "", false, false, Processes.NONE, true, ALL_HOLDERS, "");

    Verdict(@Nullable NotRead reason, SessionEffect effect, String because) {
        this(reason, effect, because, false, false, Processes.NONE, false, ALL_HOLDERS, "");
    }

    /** Returns a verdict that is harmless, but no partial Satellite has the Master's answer. */
    static Verdict ofCompleteNodes(String because) {
        return new Verdict(null, SessionEffect.NONE, "", false, false, Processes.NONE, false, 0, because);
    }

    /** Returns a verdict that is harmless except for the question about processes. */
    static Verdict asking(Processes processes) {
        return processes == Processes.NONE
                ? HARMLESS
                : new Verdict(null, SessionEffect.NONE, "", false, false, processes, false, ALL_HOLDERS, "");
    }

    static Verdict mayWrite(String because) {
        return new Verdict(NotRead.MAY_WRITE, SessionEffect.NONE, because);
    }

    /** Returns the verdict on unknown code. */
    static Verdict opaque(String because) {
        return new Verdict(NotRead.MAY_WRITE, SessionEffect.OPAQUE, because);
    }

    static Verdict masterOnly(String because) {
        return new Verdict(NotRead.MASTER_ONLY, SessionEffect.NONE, because);
    }

    boolean harmless() {
        return reason == null;
    }

    /** Returns the same verdict with other holders. */
    Verdict heldBy(long nodes) {
        return nodes == holders
                ? this
                : new Verdict(
                        reason,
                        effect,
                        because,
                        asksSequence,
                        asksChannels,
                        processes,
                        momentary,
                        nodes,
                        nodes == ALL_HOLDERS ? "" : lacking);
    }

    @SuppressWarnings("ReferenceEquality") // Most verdicts are the constant; the comparison only saves an object.
    Verdict and(Verdict other) {
        if (other == HARMLESS || other == this) {
            return this;
        }
        if (this == HARMLESS) {
            return other;
        }
        Verdict worse = rank(other.reason) > rank(reason) ? other : this;
        return new Verdict(
                worse.reason,
                effect.and(other.effect),
                worse.because,
                asksSequence || other.asksSequence,
                asksChannels || other.asksChannels,
                processes.and(other.processes),
                momentary || other.momentary,
                holders & other.holders,
                lacking.isEmpty() ? other.lacking : lacking);
    }

    private static int rank(@Nullable NotRead reason) {
        if (reason == null) {
            return 0;
        }
        return switch (reason) {
            case MASTER_ONLY -> 1;
            case UNPARSED -> 2;
            default -> 3;
        };
    }
}
