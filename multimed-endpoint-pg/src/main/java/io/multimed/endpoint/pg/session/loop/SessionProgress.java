package io.multimed.endpoint.pg.session.loop;

/**
 * How far a session has got. Two looks at it tell whether it has gone on in between.
 *
 * @param unit number of the unit at the head of the input, or of the next one
 * @param block number of the latest transaction block
 * @param inBlock whether that block is open
 */
public record SessionProgress(Phase phase, long unit, long block, boolean inBlock) {
    static final SessionProgress UNKNOWN = new SessionProgress(Phase.IDLE, 0, 0, false);

    /** The part of its work that a session is in. */
    public enum Phase {
        IDLE,
        /** A transaction is open, and the client may send the next statement. */
        IDLE_IN_TRANSACTION,
        /** A unit waits before an engine has any part of it. */
        WAITING,
        /** An engine works for the client, or the client takes its replies. */
        EXECUTING
    }
}
