package io.multimed.endpoint.pg.session.exchange;

import io.multimed.endpoint.pg.backend.BackendConnection;

/** The session's part in sharing a connection with units of other sessions. Event loop only. */
public interface ConnectionSharing {
    /** Whether the waiting unit may be sent on this connection behind the units of other sessions. */
    boolean mayFollow(BackendConnection connection);

    /** Takes back the unit that was sent behind others, because it is not answered soon or could be cancelled with theirs. */
    void displaced(BackendConnection from);

    /**
     * Cancels the unit that was sent behind others. A cancel request could hit their units, so the session takes the unit back
     * instead.
     */
    void cancelUnheard();

    /** Notes that other sessions had to leave the connection because the unit sent last takes long. */
    void heldOthersUp();

    /** Notes that other sessions could have followed the unit sent last and that none of them had to leave. */
    void heldNobodyUp();
}
