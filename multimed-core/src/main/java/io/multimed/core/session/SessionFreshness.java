package io.multimed.core.session;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.propagation.Floor;
import io.multimed.core.propagation.FloorHistory;
import io.multimed.model.Freshness;

/**
 * The freshness a session has chosen and what it has seen so far: within a session nothing seen is ever unseen.
 *
 * <p>Not thread-safe: used by the thread that runs the session.
 */
public final class SessionFreshness {
    private Freshness chosen;
    /** Every commit that the session has made or seen is at or below. */
    private long observed;
    /** Except that it has seen something since, of which no position is known. */
    private boolean unheard;

    public SessionFreshness(Freshness chosen) {
        this.chosen = chosen;
    }

    public Freshness chosen() {
        return chosen;
    }

    public void choose(Freshness freshness) {
        chosen = freshness;
    }

    /**
     * The SCN that a read beginning now must see, or {@link Floor#UNKNOWN} when nothing can be promised, so that
     * only the Master will do.
     *
     * @param nowNanos monotonic time, on the clock of the history
     */
    public long required(Floor log, FloorHistory history, long nowNanos) {
        // Covers what the session has seen: Satellites are sent nothing that is not below the floor already.
        if (chosen instanceof Freshness.Strong) {
            return log.floor();
        }
        if (unheard) {
            observedUpToFloor(log.floor());
            if (unheard) {
                return Floor.UNKNOWN;
            }
        }
        if (chosen instanceof Freshness.Eventual eventual) {
            long floor = history.floorAt(nowNanos - eventual.maxLag().toNanos());
            if (floor == Floor.UNKNOWN) {
                floor = log.floor();
            }
            return floor == Floor.UNKNOWN ? Floor.UNKNOWN : Math.max(observed, floor);
        }
        return observed;
    }

    /**
     * The Master has answered: with a commit of this session, or with a snapshot that may contain anything committed by
     * now. Called when the answer is there.
     */
    public void observedOnMaster(Floor log) {
        observedUpToFloor(log.floor());
    }

    /** A Satellite has answered with a snapshot that may contain anything sent to it by now. */
    public void observedOnSatellite(ComputationalNode satellite, Floor log) {
        long forwarded = satellite.forwarded();
        long floor = log.floor();
        // No commit lies between the floor and the end of what was sent, only log of transactions that still run.
        observed(floor == Floor.UNKNOWN ? forwarded : Math.min(forwarded, floor));
    }

    /**
     * A node has answered with a snapshot that may contain anything up to {@code scn}; {@link Floor#UNKNOWN} if
     * nobody knows up to where. Then the Master alone can show as much again, until there is a floor, which covers
     * whatever was seen before.
     */
    public void observed(long scn) {
        if (scn == Floor.UNKNOWN) {
            unheard = true;
        } else {
            observed = Math.max(observed, scn);
        }
    }

    /** What there is a floor for, it covers: anything that anyone has seen by now. */
    private void observedUpToFloor(long floor) {
        observed(floor);
        unheard = floor == Floor.UNKNOWN;
    }
}
