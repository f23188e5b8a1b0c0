package io.multimed.engine.postgresql.copy;

import io.multimed.engine.postgresql.NodeAddress;
import io.multimed.engine.postgresql.catalog.AdminConnection;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the Master keep the log from now on, for a copy that begins: all that it lacks until it runs.
 *
 * <p>By a temporary replication slot of a connection of its own, so that whatever becomes of Multimed nothing of it is left.
 * What {@code wal_keep_size} keeps may be less than the Master writes while a large database is copied.
 *
 * <p>Not at any price: a copy can be made again, while a Master whose disk is full ends. So the log is let go when there is
 * little room left for it. {@code max_slot_wal_keep_size} would hold for slots of the user's too, and not for what else fills
 * the disk, such as the copy itself.
 */
public final class HeldLog implements AutoCloseable {
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final String SLOT = "'multimed_copy_' || pg_backend_pid()";

    private static final Logger log = LoggerFactory.getLogger(HeldLog.class);

    private final Connection connection;
    private final Path directory;
    private final long room;
    private final Thread watch =
            Thread.ofPlatform().daemon().name("multimed-held-log").unstarted(this::watch);

    private HeldLog(Connection connection, Path directory, long room) {
        this.connection = connection;
        this.directory = directory;
        this.room = room;
    }

    /**
     * Begins to keep the log. Where there may be no slot ({@code max_replication_slots}), the copy is made without: it may have to
     * be made again.
     *
     * @param superuser a role that may make slots
     * @param directory where the Master writes its log
     * @param room bytes that stay free there: the log is let go before
     * @throws SQLException if the Master does not answer
     */
    public static HeldLog from(NodeAddress master, String superuser, Path directory, long room) throws SQLException {
        Connection connection = AdminConnection.open(master, superuser, "postgres");
        try (Statement statement = connection.createStatement()) {
            HeldLog held = new HeldLog(connection, directory, room);
            try {
                statement.execute("SELECT pg_create_physical_replication_slot(" + SLOT + ", true, true)");
                held.watch.start();
            } catch (SQLException e) {
                log.info("The Master keeps no log for a copy: {}", e.getMessage());
            }
            return held;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    private void watch() {
        try {
            while (directory.toFile().getUsableSpace() >= room) {
                Thread.sleep(LOOK);
            }
            letGo();
        } catch (InterruptedException e) {
            // Closed.
            return;
        }
    }

    private void letGo() {
        log.warn("There is little room left in {}: the Master no longer keeps its log for a copy", directory);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_drop_replication_slot(" + SLOT + ")");
            // Only a checkpoint removes what was kept, and the next may be far off.
            statement.execute("CHECKPOINT");
        } catch (SQLException e) {
            log.debug("letting go of the log: {}", e.getMessage());
        }
    }

    /** The log is no longer needed; may be called more than once. */
    @Override
    public void close() {
        watch.interrupt();
        try {
            connection.close();
        } catch (SQLException e) {
            log.debug("closing the connection that held log: {}", e.getMessage());
        }
    }
}
