package io.multimed.endpoint.pg.backend;

/**
 * How many connections to a node may be open, private ones apart.
 *
 * <p>A process that yields does so for good, so reads that take long and all others need connections of different kinds. If one
 * could be closed for the other whenever that has none, the engine would begin processes all the time, and each would have to
 * find everything out anew. So they have bounds of their own.
 *
 * @param usual as many may be open whose processes do not yield
 * @param yielding as many may be opened whose processes do; more may have come to yield since
 */
record PoolBounds(int usual, int yielding) {
    /** @param sideBySide so many short reads run side by side, so many that take long, and so many that take very long */
    static PoolBounds of(int usual, int sideBySide) {
        return new PoolBounds(usual, ReadSharing.YIELDING_EACH * sideBySide);
    }

    /** Whether there is room for one more, that yields or does not. */
    boolean allow(boolean oneThatYields, int usualNow, int yieldingNow) {
        return oneThatYields ? yieldingNow < yielding : usualNow < usual && usualNow + yieldingNow < usual + yielding;
    }

    /** Whether of those that yield there are more than would have been opened, so that one may be closed for another that does not. */
    boolean areExceeded(int yieldingNow) {
        return yieldingNow > yielding;
    }
}
