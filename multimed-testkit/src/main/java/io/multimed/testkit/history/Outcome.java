package io.multimed.testkit.history;

/** A client's knowledge of its update transaction. */
public enum Outcome {
    /** Acknowledged: it must be in the commit order. */
    OK,
    /** Refused, rolled back, or COMMIT never sent: it must not be in the commit order. */
    FAIL,
    /** The reply to COMMIT was lost: it may be in the commit order. */
    INFO
}
