package io.multimed.engine.postgresql.relay;

/**
 * The time for which one Satellite has held back the Master's vacuum by one and the same xmin.
 *
 * <p>The time begins when the Master goes past the xmin: on an idle Master the newest xmin stays the same for hours without
 * holding anything back.
 */
final class HeldXmin {
    private Feedback wish = Feedback.NONE;
    private long since;
    private boolean holding;

    /** Records the feedback of a Satellite. */
    void wishes(Feedback feedback) {
        if (feedback.xmin() != wish.xmin()) {
            holding = false;
        }
        wish = feedback;
    }

    /**
     * Returns the feedback to send to the Master.
     *
     * @param newestXid the newest transaction known, 64 bits
     * @param bound how long one xmin may be held, in nanoseconds
     */
    Feedback granted(long now, long newestXid, long bound) {
        if (wish.xmin() == 0 || wish.xmin() >= newestXid) {
            holding = false;
            return wish;
        }
        if (!holding) {
            holding = true;
            since = now;
        }
        return now - since > bound ? Feedback.NONE : wish;
    }
}
