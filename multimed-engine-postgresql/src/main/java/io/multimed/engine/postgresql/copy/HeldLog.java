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
 * Makes the Master keep its log from now on, for a copy that begins and needs all log until its engine runs.
 *
 * <p>It uses a temporary replication slot of a connection of its own, so that nothing remains however Multimed ends. {@code
 * wal_keep_size} may be less than the Master writes while a large database is copied.
 *
 * <p>If little room is left for the log, it is released: a copy can be made again, while a Master whose disk is full ends.
 * {@code max_slot_wal_keep_size} would also limit the user's own slots, and would not count other files on the disk, such as
 * the copy itself.
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
     * Begins to keep the log. If no slot is available ({@code max_replication_slots}), the copy is made without one and may
     * have to be made again.
     *
     * @param superuser a role that may make slots
     * @param directory where the Master writes its log
     * @param room bytes that must stay free there: otherwise the log is released
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
            // Only a checkpoint removes the log that was kept, and the next one may be far off.
            statement.execute("CHECKPOINT");
        } catch (SQLException e) {
            log.debug("letting go of the log: {}", e.getMessage());
        }
    }

    /** Releases the log; may be called more than once. */
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
