package io.multimed.endpoint.pg.session.loop;

import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.protocol.pg.ErrorFields;

/** A client's session, as the rest of the endpoint sees it. Event loop only. */
public interface ClientSession {
    /** The kind of engine session that this session needs. */
    PoolKey key();

    /** The present activity of the session. */
    SessionReport report();

    /** Whether a transaction has begun that the client has not ended, even if no engine knows of it. */
    boolean isAmidBlock();

    /** Processes the input that the client has sent. */
    void process();

    /** Continues after the client's connection has become writable again. */
    void clientWritable();

    /** Cancels the running or waiting unit, as the client has requested on another connection. */
    void cancel();

    /** Ends the conversation whatever the session does now. The caller has checked the right to do so. */
    void terminate();

    /** Ends the conversation whatever the session does now, and tells the client why, if it can be told. */
    default void terminate(ErrorFields why) {
        terminate();
    }

    /**
     * Ends the session because Multimed shuts down. A client whose reply is incomplete gets no message, since it might be in the
     * middle of a row.
     */
    void shutDown();

    /** Number of bytes that the session holds for the client. */
    long heldBytes();

    /** Ends the session after the conversation is over, for whatever reason. The engine rolls back an open transaction. */
    void end();
}
