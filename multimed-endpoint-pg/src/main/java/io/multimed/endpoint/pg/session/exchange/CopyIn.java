package io.multimed.endpoint.pg.session.exchange;

import io.multimed.protocol.pg.SqlState;

/**
 * Whether the engine reads COPY data, and what becomes of the Syncs that were sent behind the statement by which it does.
 *
 * <p>Source: PostgreSQL's manual, "COPY Operations": in copy-in mode Flush and Sync messages are ignored.
 */
public final class CopyIn {
    private final Replies replies;
    private boolean reading;
    /** Data has been sent since it reads. */
    private boolean dataSent;
    /** The latest entry that may have the engine read such data. */
    private long expected;
    /** What {@link #begins} was told. */
    private boolean unsyncedBefore;

    CopyIn(Replies replies) {
        this.replies = replies;
    }

    /** Whether the engine reads COPY data now, as far as it has told. */
    public boolean isReading() {
        return reading;
    }

    /** The entry of this number may have the engine read COPY data. */
    void mayBegin(long number) {
        expected = number;
    }

    /**
     * Whether it is not known yet if the engine, when it comes to what is sent next, reads COPY data, of which it would take that
     * as a part.
     */
    public boolean mayBegin() {
        return !reading && replies.isOutstanding(expected);
    }

    /**
     * The engine is about to read COPY data, of which it takes every Sync and Flush that it has been sent.
     *
     * @param unsynced whether extended query messages were sent that no Sync has followed
     * @return whether it is so now
     */
    boolean begins(boolean unsynced) {
        reading = true;
        dataSent = false;
        unsyncedBefore = unsynced;
        return replies.dropSyncsBehindHead() && replies.headKind() == Kind.EXECUTE || unsynced;
    }

    /** COPY data is sent, or its end. */
    public void sent() {
        dataSent = true;
    }

    /**
     * The engine has failed. If it was reading and there was nothing to read, it comes to each Sync now.
     *
     * @param unsynced as for {@link #begins}
     * @return whether it is so now
     */
    boolean fails(String sqlState, boolean unsynced) {
        // A cancel request ends its waiting for data, for which it has read all there was.
        boolean comesToSyncs = reading && !dataSent && !sqlState.equals(SqlState.QUERY_CANCELED);
        if (comesToSyncs) {
            replies.restoreSyncs();
        }
        ended();
        return comesToSyncs ? unsyncedBefore : unsynced;
    }

    /** The engine reads COPY data no longer. */
    public void ended() {
        reading = false;
        expected = 0;
        replies.forgetSyncs();
    }
}
