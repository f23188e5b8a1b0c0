package io.multimed.testkit.history;

/** The freshness that the sessions had chosen. */
public enum Promise {
    /** A read sees the commits acknowledged to any client, and those seen by any finished read, before it began. */
    STRONG,
    /** A read sees the commits that its own session made and saw. */
    SESSION
}
