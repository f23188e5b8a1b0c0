package io.multimed.engine.embedded.runtime;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The sessions' connections to one Satellite, so that somebody else can end what they read there. Any thread. */
final class Readers {
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();

    void opened(Connection connection) {
        connections.add(connection);
    }

    void closed(Connection connection) {
        connections.remove(connection);
    }

    /** Ends their transactions, which fail; a statement by itself is over in time. */
    void endTransactions() {
        for (Connection connection : connections) {
            try {
                if (!connection.getAutoCommit()) {
                    connection.close();
                }
            } catch (SQLException e) {
                // It is closed.
            }
        }
    }
}
