package io.multimed.endpoint.pg.backend;

/**
 * Bounds on the number of open connections to a node, private ones excluded.
 *
 * <p>A process that yields does so for good, so long reads and all other statements need connections of different kinds. If either
 * kind could close a connection of the other whenever it has none, the engine would constantly start processes, each with empty
 * caches. So each kind has its own bound.
 *
 * @param usual number of connections that may be open whose processes do not yield
 * @param yielding number of connections that may be opened whose processes yield; more may have come to yield since
 */
record PoolBounds(int usual, int yielding) {
    /** @param sideBySide number of reads of each class (short, long, very long) that run side by side */
    static PoolBounds of(int usual, int sideBySide) {
        return new PoolBounds(usual, ReadSharing.YIELDING_EACH * sideBySide);
    }

    /** Whether there is room for one more connection, which yields or does not. */
    boolean allow(boolean oneThatYields, int usualNow, int yieldingNow) {
        return oneThatYields ? yieldingNow < yielding : usualNow < usual && usualNow + yieldingNow < usual + yielding;
    }

    /** Whether more connections yield than would have been opened, so that one may be closed for another that does not yield. */
    boolean areExceeded(int yieldingNow) {
        return yieldingNow > yielding;
    }
}
