package io.multimed.engine.embedded;

import java.sql.Connection;
import java.sql.SQLException;

/** Callback that gives a session's new engine connections the schema and settings of its connection to the Master. */
@FunctionalInterface
public interface ReplicaListener {
    ReplicaListener NONE = replica -> {};

    /**
     * Sets up a connection to a Satellite. Called in the session's thread, inside {@link EmbeddedSession#beginRead}, once per
     * connection. The Satellite refuses changes (25006), except settings of the session.
     */
    void ready(Connection replica) throws SQLException;

    /** Sets up the session's connection to a new Master, after the old one has ended. Called in the session's thread. */
    default void replaced(Connection master) throws SQLException {}
}
