package io.multimed.engine.postgresql.writeset;

import io.multimed.engine.postgresql.relay.MessageScanner;
import io.multimed.engine.postgresql.wire.Lsn;
import io.multimed.engine.postgresql.wire.MasterRefusedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log that a physical slot holds, with the messages of triggers in it.
 *
 * @param slot its name
 * @param oid of the database
 * @param secret with which the messages begin
 * @param tables by their tokens
 */
record CapturedSource(
        MasterDatabase database, String slot, long oid, String secret, Function<String, @Nullable CapturedTable> tables)
        implements ChangeSource {
    private static final Logger LOG = LoggerFactory.getLogger(CapturedSource.class);
    static final String PREFIX = "multimed";
    /** The number of copies of slots: no name comes twice. */
    private static final AtomicLong COPIES = new AtomicLong();

    @Override
    public WriteSetStream open(long from, long openBytes) throws IOException, MasterRefusedException {
        try {
            return open(slot, from, openBytes);
        } catch (MasterRefusedException e) {
            if (ReplicationSlots.IN_USE.equals(e.sqlState())) {
                release();
            }
            throw e;
        }
    }

    private void release() {
        try (Connection master = database.connect()) {
            ReplicationSlots.release(master, slot);
        } catch (SQLException e) {
            LOG.debug("Releasing a slot: {}", e.getMessage());
        }
    }

    /** Starts from a copy of the slot that ends with the stream. */
    @Override
    public WriteSetStream openBeside(long from, long openBytes) throws IOException, MasterRefusedException {
        // The copy of a connection that was lost may still be there.
        return open(slot + "_" + COPIES.incrementAndGet(), from, openBytes);
    }

    /** Begins where the slot does: there begins every transaction that has committed behind what the slot's holder has confirmed. */
    private WriteSetStream open(String used, long from, long openBytes) throws IOException, MasterRefusedException {
        DecodingConnection connection =
                DecodingConnection.open(database.master(), database.user(), database.database(), ANSWER);
        try {
            if (!used.equals(slot)) {
                connection.command(
                        "SELECT pg_catalog.pg_copy_physical_replication_slot('" + slot + "', '" + used + "', true)",
                        ANSWER);
            }
            List<@Nullable String[]> rows = connection.command(
                    "SELECT s.restart_lsn, (SELECT setting FROM pg_catalog.pg_settings WHERE name = 'wal_segment_size'),"
                            + " (SELECT setting FROM pg_catalog.pg_settings WHERE name = 'wal_block_size')"
                            + " FROM pg_catalog.pg_replication_slots s WHERE s.slot_name = '" + used + "'",
                    ANSWER);
            String restart = rows.isEmpty() ? null : rows.get(0)[0];
            if (restart == null) {
                throw new MasterRefusedException("42704", "the slot " + slot + " is gone, or has lost its log");
            }
            int segment = Integer.parseInt(String.valueOf(rows.get(0)[1]));
            int page = Integer.parseInt(String.valueOf(rows.get(0)[2]));
            long begin = Lsn.parse(restart);
            long start = begin - begin % page;
            CapturedContent content = new CapturedContent(
                    sink -> new MessageScanner(
                            segment,
                            page,
                            start,
                            (int) oid,
                            (PREFIX + '\0').getBytes(StandardCharsets.US_ASCII),
                            (secret + ' ').getBytes(StandardCharsets.US_ASCII),
                            sink),
                    tables,
                    secret.length() + 1,
                    from,
                    openBytes);
            connection.command("START_REPLICATION SLOT " + used + " PHYSICAL " + Lsn.format(start), ANSWER);
            return new WriteSetStream(connection, content);
        } catch (IOException | MasterRefusedException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }
}
