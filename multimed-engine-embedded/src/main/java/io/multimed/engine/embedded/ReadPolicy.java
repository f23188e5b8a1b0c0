package io.multimed.engine.embedded;

/** The rule that chooses one of several fresh Satellites for a read. */
public enum ReadPolicy {
    /** A session stays on one Satellite as long as that is fresh: no counting, warm caches. The default. */
    STICKY,
    /**
     * The Satellite on which the fewest transactions run. A single query may also go to the Master while changes are being applied
     * on the Satellites, if such a query waits for no lock on the Master (H2).
     */
    LEAST_ACTIVE,
    /** Each read goes to the next Satellite. */
    ROUND_ROBIN
}
