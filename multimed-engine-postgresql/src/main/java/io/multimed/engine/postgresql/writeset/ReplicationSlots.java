package io.multimed.engine.postgresql.writeset;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The end of replication slots of any kind, logical and physical. */
final class ReplicationSlots {
    /** The state of an error about a slot that another process uses. */
    static final String IN_USE = "55006";

    private static final Duration RELEASE = Duration.ofSeconds(10);

    private ReplicationSlots() {}

    /** Ends the process that uses a slot, if any: a stream that was lost on this side may go on there. */
    static void release(Connection master, String slot) throws SQLException {
        try (PreparedStatement end = master.prepareStatement("SELECT pg_catalog.pg_terminate_backend(active_pid)"
                + " FROM pg_catalog.pg_replication_slots WHERE slot_name = ? AND active_pid IS NOT NULL")) {
            end.setString(1, slot);
            end.execute();
        }
    }

    /** Drops a slot if it exists, and ends the process that uses it. */
    static void drop(Connection master, String slot) throws SQLException, InterruptedException {
        long deadline = System.nanoTime() + RELEASE.toNanos();
        while (true) {
            release(master, slot);
            try (PreparedStatement drop = master.prepareStatement(
                    "SELECT pg_catalog.pg_drop_replication_slot(slot_name) FROM pg_catalog.pg_replication_slots"
                            + " WHERE slot_name = ?")) {
                drop.setString(1, slot);
                drop.execute();
                return;
            } catch (SQLException e) {
                if (!IN_USE.equals(e.getSQLState()) || System.nanoTime() > deadline) {
                    throw e;
                }
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }
}
