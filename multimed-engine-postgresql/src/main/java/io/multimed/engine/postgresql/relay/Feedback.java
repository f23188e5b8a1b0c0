package io.multimed.engine.postgresql.relay;

/**
 * The limits of a standby for its primary's removal of old rows (hot_standby_feedback). Transaction numbers have 64 bits, their
 * epoch in the upper half; 0 sets no limit.
 */
record Feedback(long xmin, long catalogXmin) {
    static final Feedback NONE = new Feedback(0, 0);

    /** Returns the older of two transaction numbers; 0 means no limit. */
    static long older(long a, long b) {
        if (a == 0 || b == 0) {
            return a | b;
        }
        return Math.min(a, b);
    }

    /** Joins the 32 bits of the protocol with their epoch; a number that is invalid stays 0 whatever the epoch. */
    static long xid(int xid, int epoch) {
        return xid == 0 ? 0 : Integer.toUnsignedLong(epoch) << 32 | Integer.toUnsignedLong(xid);
    }
}
