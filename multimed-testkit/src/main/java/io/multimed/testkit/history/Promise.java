package io.multimed.testkit.history;

/** The freshness that the sessions had chosen. */
public enum Promise {
    /** A read sees what was acknowledged to anyone, and what any finished read of anyone saw, before it began. */
    STRONG,
    /** A read sees what its own session committed and saw. */
    SESSION
}
