package io.multimed.endpoint.pg.session.requests;

/** The result of opening the segment at the head of the input: the attempt to send it, or an outcome that sends nothing more of it. */
sealed interface SegmentOpened permits SegmentOpened.Outcome, SegmentAttempt {
    /** The outcomes after which no message of the segment is sent now. */
    enum Outcome implements SegmentOpened {
        /** The segment stays in the input until the session has waited. */
        WAITS,
        /** The segment was answered or sent as a whole, or is to be examined again at once. */
        TAKEN,
        /** The client has received an error. The messages up to Sync are to be ignored. */
        FAILED
    }
}
