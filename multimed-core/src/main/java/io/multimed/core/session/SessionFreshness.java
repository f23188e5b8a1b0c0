package io.multimed.core.session;

import io.multimed.core.propagation.FloorHistory;
import io.multimed.core.propagation.MasterLog;
import io.multimed.model.Freshness;

/**
 * The freshness a session has chosen and what it has seen so far: within a session nothing seen is ever unseen.
 *
 * <p>Not thread-safe: used by the thread that runs the session.
 */
public final class SessionFreshness {
    private Freshness chosen;
    private long observed;

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
     * The SCN that a read beginning now must see, or {@link MasterLog#UNKNOWN} when nothing can be promised.
     *
     * @param nowNanos monotonic time
     */
    public long required(MasterLog log, FloorHistory history, long nowNanos) {
        if (chosen instanceof Freshness.Strong) {
            return log.floor();
        }
        if (chosen instanceof Freshness.Eventual eventual) {
            return Math.max(
                    observed, history.floorAt(nowNanos - eventual.maxLag().toNanos()));
        }
        return observed;
    }

    /** A node has answered with a snapshot that may contain anything up to {@code scn}. */
    public void observed(long scn) {
        observed = Math.max(observed, scn);
    }
}
