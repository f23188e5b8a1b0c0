package io.multimed.endpoint.pg.session.exchange;

/** The reason why the unit at the head of a session's input waits. */
public enum Wait {
    NOTHING,
    CLASSIFICATION,
    /** The database's catalog is being read again after a change of the schema. */
    CATALOG,
    FRESHNESS,
    /** The Master does not yet show everything that Satellites have shown. */
    VISIBILITY,
    CONNECTION,
    /** Too many sessions of the role or database hold connections. */
    TURN,
    /** The activity of all sessions is being collected. */
    SESSIONS,
    /** Another session has asked the same, and its reply is awaited. */
    SAME_READ,
    /** LISTEN has not taken effect, or the session's own notifications have not arrived. */
    NOTIFICATIONS,
    /** Replies are outstanding, and the next unit runs elsewhere. */
    REPLIES,
    /** The engine takes no more bytes now. */
    ENGINE_WRITABLE,
    /** A pause before the Master is tried again. */
    RETRY,
    /** A pause before the node of a routing rule is tried again. */
    RULE
}
