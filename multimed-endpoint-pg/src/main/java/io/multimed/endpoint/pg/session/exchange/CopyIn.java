package io.multimed.endpoint.pg.session.exchange;

import io.multimed.protocol.pg.SqlState;

/**
 * Tracks whether the engine reads COPY data, and which Syncs it ignores that were sent behind the COPY statement.
 *
 * <p>Source: PostgreSQL's manual, "COPY Operations": in copy-in mode Flush and Sync messages are ignored.
 */
public final class CopyIn {
    private final Replies replies;
    private boolean reading;
    /** Whether data has been sent since the engine began to read. */
    private boolean dataSent;
    /** Number of the latest entry that may start a COPY from the client. */
    private long expected;
    /** The argument of the latest call of {@link #begins}. */
    private boolean unsyncedBefore;

    CopyIn(Replies replies) {
        this.replies = replies;
    }

    /** Whether the engine reads COPY data now, as far as its replies show. */
    public boolean isReading() {
        return reading;
    }

    /** Notes that the entry of this number may start a COPY from the client. */
    void mayBegin(long number) {
        expected = number;
    }

    /**
     * Whether the engine may be reading COPY data when it receives the next message. It would then take that message as part of the
     * data.
     */
    public boolean mayBegin() {
        return !reading && replies.isOutstanding(expected);
    }

    /**
     * Notes that the engine begins to read COPY data. It ignores every Sync and Flush that it has already been sent.
     *
     * @param unsynced whether extended query messages were sent that no Sync has followed
     * @return whether such messages exist now
     */
    boolean begins(boolean unsynced) {
        reading = true;
        dataSent = false;
        unsyncedBefore = unsynced;
        return (replies.dropSyncsBehindHead() && replies.headKind() == MessageKind.EXECUTE) || unsynced;
    }

    /** Notes that COPY data, or the end of it, is sent. */
    public void sent() {
        dataSent = true;
    }

    /**
     * Notes that the engine has failed. If it was reading and had been sent no data, it now processes each Sync.
     *
     * @param unsynced as for {@link #begins}
     * @return whether extended query messages exist now that no Sync has followed
     */
    boolean fails(String sqlState, boolean unsynced) {
        // A cancel request ends the engine's wait for data, during which it has read all messages that had arrived.
        boolean comesToSyncs = reading && !dataSent && !sqlState.equals(SqlState.QUERY_CANCELED);
        if (comesToSyncs) {
            replies.restoreSyncs();
        }
        ended();
        return comesToSyncs ? unsyncedBefore : unsynced;
    }

    /** Notes that the engine no longer reads COPY data. */
    public void ended() {
        expected = 0;
        if (reading) {
            reading = false;
            replies.forgetSyncs();
        }
    }
}
