package io.multimed.testkit.history;

/**
 * A violation of a guarantee.
 *
 * @param kind the broken guarantee
 * @param what in words
 */
public record Violation(Kind kind, String what) {
    /** The guarantees. */
    public enum Kind {
        /** A commit was acknowledged, and is not in the Master's log. */
        LOST_COMMIT,
        /** A transaction is in the Master's log more than once. */
        DOUBLED_COMMIT,
        /** A transaction is in the Master's log, though its client received an error, or no client recorded it. */
        UNEXPECTED_COMMIT,
        /** A transaction changed other rows than its client requested. */
        WRONG_WRITE,
        /** A value was seen that no transaction has committed. */
        UNCOMMITTED_READ,
        /** Values were seen together that never existed together. */
        TORN_SNAPSHOT,
        /** A commit acknowledged before the read began was not seen. */
        STALE_READ,
        /** A commit was seen before any client had asked for it. */
        FUTURE_READ,
        /** A commit seen before by the same session, or by any read that had ended, was not seen again. */
        WENT_BACK,
        /** A REPEATABLE READ transaction overwrote a version that it had not read. */
        LOST_UPDATE
    }

    @Override
    public String toString() {
        return kind + ": " + what;
    }
}
