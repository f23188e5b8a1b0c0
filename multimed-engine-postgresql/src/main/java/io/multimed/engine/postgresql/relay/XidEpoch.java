package io.multimed.engine.postgresql.relay;

/**
 * Widens the log's 32-bit transaction numbers to 64 bits, as {@code pg_current_snapshot()} shows them. Any number in the log is
 * less than 2^31 away from the newest.
 */
final class XidEpoch {
    private long newest;

    /** @param known a 64-bit number from the time where the log is entered */
    XidEpoch(long known) {
        newest = known;
    }

    long widen(int xid) {
        return newest + (xid - (int) newest);
    }

    /** Notes that {@code xid} has appeared in the log. */
    void seen(int xid) {
        if (xid != 0) {
            newest = Math.max(newest, widen(xid));
        }
    }

    long newest() {
        return newest;
    }
}
