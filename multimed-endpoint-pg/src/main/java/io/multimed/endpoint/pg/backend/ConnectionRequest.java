package io.multimed.endpoint.pg.backend;

/**
 * Somebody who has asked a node for a connection of a kind, and since when.
 *
 * @param expectedNanos how long the unit is going to keep a processor busy; 0 when that is not known to be long
 */
record ConnectionRequest(PoolKey key, BackendWaiter waiter, long sinceNanos, long expectedNanos) {
    /**
     * Where updates fill the cores (TPC-W, ordering, two cores) the p99 of long reads is more than twice as high if they always
     * yield. With 5 instead of 20 it is lower still, but where heavy reads fill the cores too few would yield: short ones take twice
     * as long.
     */
    private static final double LONG_WAIT_RATIO = 20;

    ConnectionRequest ofKind(PoolKey other) {
        return new ConnectionRequest(other, waiter, sinceNanos, expectedNanos);
    }

    /** The wait until now, in proportion to how long it is going to take. */
    double waitRatio(long nowNanos) {
        return (double) (nowNanos - sinceNanos) / expectedNanos;
    }

    /** It has waited for many times as long as it is going to take. */
    boolean hasWaitedLong(long nowNanos) {
        return waitRatio(nowNanos) > LONG_WAIT_RATIO;
    }
}
