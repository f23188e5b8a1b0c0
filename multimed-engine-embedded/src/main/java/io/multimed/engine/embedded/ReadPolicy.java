package io.multimed.engine.embedded;

/** Which of several fresh secondaries takes a read. */
public enum ReadPolicy {
    /** A session stays on one secondary as long as that is fresh: no counting, warm caches. The default. */
    STICKY,
    /** The secondary on which the fewest transactions run. */
    LEAST_ACTIVE,
    /** Each read the next secondary. */
    ROUND_ROBIN
}
