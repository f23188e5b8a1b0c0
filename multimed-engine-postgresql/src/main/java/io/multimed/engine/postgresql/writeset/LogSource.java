package io.multimed.engine.postgresql.writeset;

import io.multimed.engine.postgresql.wire.Lsn;
import io.multimed.engine.postgresql.wire.MasterRefusedException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log that a logical slot decodes. */
record LogSource(MasterDatabase database, LogicalSlot slot) implements ChangeSource {
    private static final Logger LOG = LoggerFactory.getLogger(LogSource.class);
    /** The number of copies of slots: no name comes twice. */
    private static final AtomicLong COPIES = new AtomicLong();

    @Override
    public WriteSetStream open(long from, long openBytes) throws IOException, MasterRefusedException {
        DecodingConnection connection = connect();
        try {
            start(connection, slot, from);
            return new WriteSetStream(connection, new LogContent(openBytes));
        } catch (IOException | MasterRefusedException | RuntimeException e) {
            connection.close();
            if (e instanceof MasterRefusedException refused && ReplicationSlots.IN_USE.equals(refused.sqlState())) {
                release();
            }
            throw e;
        }
    }

    private void release() {
        try (Connection master = database.connect()) {
            ReplicationSlots.release(master, slot.slot());
        } catch (SQLException e) {
            LOG.debug("Releasing a slot: {}", e.getMessage());
        }
    }

    /** Starts from a copy of the slot that ends with the stream. */
    @Override
    public WriteSetStream openBeside(long from, long openBytes) throws IOException, MasterRefusedException {
        // The copy of a connection that was lost may still be there.
        LogicalSlot copy = new LogicalSlot(slot.slot() + "_" + COPIES.incrementAndGet(), slot.publication());
        DecodingConnection connection = connect();
        try {
            connection.command(
                    "SELECT pg_catalog.pg_copy_logical_replication_slot('" + slot.slot() + "', '" + copy.slot()
                            + "', true)",
                    ANSWER);
            start(connection, copy, from);
            return new WriteSetStream(connection, new LogContent(openBytes));
        } catch (IOException | MasterRefusedException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private DecodingConnection connect() throws IOException, MasterRefusedException {
        return DecodingConnection.open(database.master(), database.user(), database.database(), ANSWER);
    }

    private static void start(DecodingConnection connection, LogicalSlot slot, long from)
            throws IOException, MasterRefusedException {
        // PostgreSQL parses the list of publications as identifiers, inside a literal.
        String publication = QualifiedName.quoted(slot.publication()).replace("'", "''");
        connection.command(
                "START_REPLICATION SLOT " + slot.slot() + " LOGICAL " + Lsn.format(from)
                        + " (proto_version '2', publication_names '" + publication + "', streaming 'on')",
                ANSWER);
    }
}
