package io.multimed.engine.postgresql.copy;

import io.multimed.engine.postgresql.NodeAddress;
import io.multimed.engine.postgresql.catalog.AdminConnection;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the Master keep the log from now on, for a copy that begins: all that it lacks until it runs.
 *
 * <p>By a temporary replication slot of a connection of its own, so that whatever becomes of Multimed nothing of it is left. What
 * {@code wal_keep_size} keeps may be less than the Master writes while a large database is copied.
 */
public final class HeldLog implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(HeldLog.class);

    private final Connection connection;

    private HeldLog(Connection connection) {
        this.connection = connection;
    }

    /**
     * Begins to keep the log. Where there may be no slot ({@code max_replication_slots}), the copy is made without: it may have to
     * be made again.
     *
     * @param superuser a role that may make slots
     * @throws SQLException if the Master does not answer
     */
    public static HeldLog from(NodeAddress master, String superuser) throws SQLException {
        Connection connection = AdminConnection.open(master, superuser, "postgres");
        try (Statement statement = connection.createStatement()) {
            try {
                statement.execute(
                        "SELECT pg_create_physical_replication_slot('multimed_copy_' || pg_backend_pid(), true, true)");
            } catch (SQLException e) {
                log.info("The Master keeps no log for a copy: {}", e.getMessage());
            }
            return new HeldLog(connection);
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** The log is no longer needed; may be called more than once. */
    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            log.debug("closing the connection that held log: {}", e.getMessage());
        }
    }
}
