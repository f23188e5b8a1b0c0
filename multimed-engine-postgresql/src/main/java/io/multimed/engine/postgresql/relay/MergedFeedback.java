package io.multimed.engine.postgresql.relay;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The feedback of all Satellites together for the Master: the oldest rows that any of their snapshots needs, for a bounded time.
 *
 * <p>Relay thread.
 */
final class MergedFeedback {
    private final List<SatelliteLink> links;
    private final long bound;
    private boolean changed;
    /** Whether there are readers on the Satellites. */
    private boolean read;

    /** @param bound time in nanoseconds for which a Satellite may hold back the Master's vacuum by one xmin */
    MergedFeedback(List<SatelliteLink> links, long bound) {
        this.links = links;
        this.bound = bound;
    }

    /** Notes whether there are readers on the Satellites. */
    void readers(boolean now) {
        changed |= now != read;
        read = now;
    }

    /** Notes that the feedback may have changed, as it does by a Satellite's report or by time. */
    void changed() {
        changed = true;
    }

    /**
     * Returns the feedback for the Master; null if it has not changed.
     *
     * @param newestXid the newest transaction known, 64 bits
     */
    @Nullable
    Feedback take(long now, long newestXid) {
        if (!changed) {
            return null;
        }
        changed = false;
        if (!read) {
            // A walreceiver reports an xmin up to a second old. If no snapshot needs it, rows that are updated often
            // would keep the dead versions of that second.
            return Feedback.NONE;
        }
        long xmin = 0;
        long catalogXmin = 0;
        for (int i = 0; i < links.size(); i++) {
            Feedback granted = links.get(i).held().granted(now, newestXid, bound);
            xmin = Feedback.older(xmin, granted.xmin());
            catalogXmin = Feedback.older(catalogXmin, granted.catalogXmin());
        }
        return new Feedback(xmin, catalogXmin);
    }
}
