package io.multimed.engine.embedded;

import java.sql.Connection;
import java.sql.SQLException;

/** Sets up a session's engine connection to a secondary as the session's connection to the Master is: schema, settings. */
@FunctionalInterface
public interface ReplicaListener {
    ReplicaListener NONE = replica -> {};

    /**
     * Called in the session's thread, inside {@link EmbeddedSession#beginRead}, once per connection. The secondary
     * refuses changes (25006), settings of the session excepted.
     */
    void ready(Connection replica) throws SQLException;
}
