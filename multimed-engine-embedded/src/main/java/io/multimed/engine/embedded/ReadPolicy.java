package io.multimed.engine.embedded;

/** Which of several fresh Satellites takes a read. */
public enum ReadPolicy {
    /** A session stays on one Satellite as long as that is fresh: no counting, warm caches. The default. */
    STICKY,
    /**
     * The Satellite on which the fewest transactions run; for a query by itself the Master, while others are changing the
     * Satellites and if such a query waits for nobody there (H2).
     */
    LEAST_ACTIVE,
    /** Each read the next Satellite. */
    ROUND_ROBIN
}
