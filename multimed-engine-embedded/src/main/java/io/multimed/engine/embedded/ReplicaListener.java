package io.multimed.engine.embedded;

import java.sql.Connection;
import java.sql.SQLException;

/** Sets up a session's engine connections as its connection to the Master is, or was: schema, settings. */
@FunctionalInterface
public interface ReplicaListener {
    ReplicaListener NONE = replica -> {};

    /**
     * Called in the session's thread, inside {@link EmbeddedSession#beginRead}, once per connection. The Satellite
     * refuses changes (25006), settings of the session excepted.
     */
    void ready(Connection replica) throws SQLException;

    /** Called in the session's thread with its connection to a Master that has taken the place of one that ended. */
    default void replaced(Connection master) throws SQLException {}
}
