package io.multimed.endpoint.pg.backend;

/**
 * How many connections to a node may be open, and which of them may make room for which.
 *
 * <p>A process that yields does so for good, so reads that take long and all others need connections of different kinds. If each
 * had one closed whenever the other had none, the engine would begin processes all the time, and each would have to find
 * everything out anew. So when all are open a few are kept for those who yield, and all others for those who do not.
 *
 * @param most as many may be open, private ones apart
 * @param yielding as many of them are kept for those who yield
 */
record PoolBounds(int most, int yielding) {
    /** @param sideBySide so many short reads, and of those that take long two times as many, run side by side */
    static PoolBounds of(int most, int sideBySide) {
        return new PoolBounds(most, Math.clamp(most - 2L * sideBySide, 0, 2 * sideBySide));
    }

    /**
     * Whether a connection that nobody uses, and that yields if {@code coming} does not or the other way round, may be closed for
     * that.
     *
     * @param yieldingNow how many are open that yield
     */
    boolean mayReplace(PoolKey coming, int yieldingNow) {
        return coming.yielding() ? yieldingNow < yielding : yieldingNow > yielding;
    }
}
