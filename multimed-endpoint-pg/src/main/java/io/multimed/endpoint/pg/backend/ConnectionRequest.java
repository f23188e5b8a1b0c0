package io.multimed.endpoint.pg.backend;

/**
 * A waiter's request for a connection of a kind, with the time at which it was made.
 *
 * @param expectedNanos expected processor time of the unit; 0 if it is not known to be long
 */
record ConnectionRequest(PoolKey key, BackendWaiter waiter, long sinceNanos, long expectedNanos) {
    /**
     * Ratio of wait to expected time above which a long read no longer yields. Where updates fill the cores (TPC-W, ordering, two
     * cores), the p99 of long reads is more than twice as high if they always yield. With 5 instead of 20 it is lower still, but
     * then, where heavy reads fill the cores, too few would yield: short reads take twice as long.
     */
    private static final double LONG_WAIT_RATIO = 20;

    ConnectionRequest ofKind(PoolKey other) {
        return new ConnectionRequest(other, waiter, sinceNanos, expectedNanos);
    }

    /** Returns the wait until now as a multiple of the expected time of the unit. */
    double waitRatio(long nowNanos) {
        return (double) (nowNanos - sinceNanos) / expectedNanos;
    }

    /** Whether the request has waited for many times its expected time. */
    boolean hasWaitedLong(long nowNanos) {
        return waitRatio(nowNanos) > LONG_WAIT_RATIO;
    }
}
