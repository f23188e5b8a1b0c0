package io.multimed.endpoint.pg.session.exchange;

/** What the unit at the head of a session's input waits for. */
public enum Wait {
    NOTHING,
    CLASSIFICATION,
    /** The database's catalog to be read again after a change of the schema. */
    CATALOG,
    FRESHNESS,
    /** The Master to show what Satellites have shown. */
    VISIBILITY,
    CONNECTION,
    /** The activity of all sessions, which is being collected. */
    SESSIONS,
    /** What another session is told, which has asked the same. */
    SAME_READ,
    /** LISTEN to take effect, or its own notifications. */
    NOTIFICATIONS,
    /** All replies outstanding, because the next unit runs elsewhere. */
    REPLIES,
    /** The engine to take more bytes. */
    ENGINE_WRITABLE,
    /** A pause before the Master is tried again. */
    RETRY
}
