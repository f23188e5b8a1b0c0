package io.multimed.core.session;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.propagation.Floor;
import io.multimed.core.propagation.FloorHistory;
import io.multimed.model.Freshness;

/**
 * The freshness that a session has chosen, and the commits that it has seen so far: within a session nothing seen is ever unseen.
 *
 * <p>Not thread-safe: used by the thread that runs the session.
 */
public final class SessionFreshness {
    private Freshness chosen;
    /** Upper bound of the SCNs of all commits that the session has made or seen, unless {@link #unheard}. */
    private long observed;
    /** Whether the session has since seen something whose position is unknown. */
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
     * Returns the SCN that a read beginning now must see; {@link Floor#UNKNOWN} if nothing can be promised, so that only the Master
     * can serve it.
     *
     * @param nowNanos monotonic time, on the clock of the history
     */
    public long required(Floor log, FloorHistory history, long nowNanos) {
        // The floor covers everything that the session has seen: Satellites receive only log that the floor already
        // covers.
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
     * Records an answer of the Master: a commit of this session, or a snapshot that may contain anything committed by now. Called
     * when the answer has arrived.
     */
    public void observedOnMaster(Floor log) {
        observedUpToFloor(log.floor());
    }

    /** Records an answer of a Satellite, from a snapshot that may contain anything sent to it by now. */
    public void observedOnSatellite(ComputationalNode satellite, Floor log) {
        long forwarded = satellite.forwarded();
        long floor = log.floor();
        // Between the floor and the end of the log sent there is no commit, only log of transactions that still run.
        observed(floor == Floor.UNKNOWN ? forwarded : Math.min(forwarded, floor));
    }

    /**
     * Records an answer from a snapshot that may contain anything up to {@code scn}; {@link Floor#UNKNOWN} if its position is
     * unknown. In that case only the Master can show as much again, until there is a floor, which covers everything seen before.
     */
    public void observed(long scn) {
        if (scn == Floor.UNKNOWN) {
            unheard = true;
        } else {
            observed = Math.max(observed, scn);
        }
    }

    /** Records a present floor, which covers everything that any client has seen by now. */
    private void observedUpToFloor(long floor) {
        observed(floor);
        unheard = floor == Floor.UNKNOWN;
    }
}
