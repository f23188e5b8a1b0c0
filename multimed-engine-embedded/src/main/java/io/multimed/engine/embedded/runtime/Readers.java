package io.multimed.engine.embedded.runtime;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The sessions' connections to one Satellite, so that another thread can end their reads there. Any thread. */
final class Readers {
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();

    void opened(Connection connection) {
        connections.add(connection);
    }

    void closed(Connection connection) {
        connections.remove(connection);
    }

    /** Ends the readers' transactions, whose next statements fail. Single statements end by themselves. */
    void endTransactions() {
        for (Connection connection : connections) {
            try {
                if (!connection.getAutoCommit()) {
                    connection.close();
                }
            } catch (SQLException e) {
                // The connection is closed, as intended.
            }
        }
    }
}
