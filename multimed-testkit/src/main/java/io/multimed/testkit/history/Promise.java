package io.multimed.testkit.history;

/** What freshness the sessions had asked for. */
public enum Promise {
    /** A read sees what was acknowledged to anyone, and what any finished read of anyone saw, before it began. */
    STRONG,
    /** A read sees what its own session committed and saw. */
    SESSION
}
