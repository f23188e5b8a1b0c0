package io.multimed.endpoint.pg.session.exchange;

import io.multimed.endpoint.pg.backend.BackendConnection;

/** What a session does where its unit shares a connection with those of others. Event loop only. */
public interface ConnectionSharing {
    /** Whether the unit that waits for a connection may be sent on this one, behind what others have sent. */
    boolean mayFollow(BackendConnection connection);

    /** How long the unit that waits is expected to keep a processor busy, in nanoseconds; 0 if that is short. */
    long expectedNanos();

    /** What was sent behind others is not answered soon, or could be cancelled with theirs. */
    void displaced(BackendConnection from);

    /** The client cancels what was sent behind others, which must not be hit: the engine need not answer it. */
    void cancelUnheard();

    /** Others had to leave because what was sent last takes long. */
    void heldOthersUp();

    /** Others could have followed what was sent last, and none of them had to leave. */
    void heldNobodyUp();
}
