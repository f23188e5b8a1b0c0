package io.multimed.engine.embedded.runtime;

import io.multimed.engine.embedded.spi.MasterSession;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** The sessions' connections to one Satellite, so that other threads can end their reads there. Any thread. */
final class Readers {
    private final Map<Connection, Supplier<MasterSession>> connections = new ConcurrentHashMap<>();

    /**
     * Registers a connection.
     *
     * @param master returns the session's part on the Master
     */
    void opened(Connection connection, Supplier<MasterSession> master) {
        connections.put(connection, master);
    }

    void closed(Connection connection) {
        connections.remove(connection);
    }

    void each(BiConsumer<MasterSession, Connection> each) {
        connections.forEach((connection, master) -> each.accept(master.get(), connection));
    }

    /** Ends the readers' transactions, whose next statements fail. Single statements end by themselves. */
    void endTransactions() {
        for (Connection connection : connections.keySet()) {
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
