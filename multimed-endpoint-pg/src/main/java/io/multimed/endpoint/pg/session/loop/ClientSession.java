package io.multimed.endpoint.pg.session.loop;

import io.multimed.endpoint.pg.backend.PoolKey;

/** A client's session, as the rest of the endpoint sees it. Event loop only. */
public interface ClientSession {
    /** The kind of engine session that it needs. */
    PoolKey key();

    /** For {@code SHOW CLIENTS}: what the session does now. */
    String state();

    /** For {@code SHOW CLIENTS}: where its latest transaction ran and why. */
    String route();

    /** The engine it is bound to, by name; empty if none. */
    String boundTo();

    /** For {@code pg_stat_activity}: what the session does now. */
    SessionActivity activity();

    /** Whether a transaction has begun that its client has not ended, whatever engines know of it. */
    boolean isAmidBlock();

    /** The client has sent something. */
    void process();

    /** The client takes bytes again. */
    void clientWritable();

    /** The client asked, on another connection, to cancel what runs, or what waits to run. */
    void cancel();

    /** Somebody with the right to do so ends the conversation, whatever the session does. */
    void terminate();

    /** Multimed ends. A client that has not been answered in full is not told: it might be amid a row. */
    void shutDown();

    /** Bytes that the session holds for the client. */
    long heldBytes();

    /** The conversation is over, for whatever reason. The engine rolls back what is open. */
    void end();
}
