package io.multimed.engine.postgresql.writeset;

import io.multimed.engine.postgresql.wire.Lsn;
import io.multimed.engine.postgresql.wire.MasterRefusedException;
import io.multimed.engine.postgresql.wire.Messages;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Master's committed transactions from one logical slot, over one connection.
 *
 * <p>One thread; {@link #wakeUp} from any.
 */
final class LogicalStream implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LogicalStream.class);
    /** The number of copies of slots: no name comes twice. */
    private static final AtomicLong COPIES = new AtomicLong();

    private static final Duration ANSWER = Duration.ofSeconds(10);

    /** The positions of a message with data: kind, start, end, time. */
    private static final int DATA_HEADER = 1 + 8 + 8 + 8;
    /** The state of PostgreSQL 18's warning that the publication is missing, after which it sends nothing. */
    private static final String NOT_AS_REQUIRED = "55000";

    /** The receiver of a stream. */
    interface Receiver {
        /** Takes the next transaction in the order of commits. */
        void transaction(Transaction transaction);

        /** Every commit that ends at or before {@code scn} was given. */
        void position(long scn);
    }

    private final DecodingConnection connection;
    private final TransactionAssembler assembler;
    private final LogicalDecoder decoder = new LogicalDecoder();

    private LogicalStream(DecodingConnection connection, long openBytes) {
        this.connection = connection;
        assembler = new TransactionAssembler(openBytes);
    }

    /**
     * Starts a stream at the slot's confirmed position, or at {@code from} if that is later. A process of the Master that still uses
     * the slot is ended, so that a further attempt succeeds.
     *
     * @param openBytes bound of the memory of transactions that have not ended; more than that ends the stream
     */
    static LogicalStream open(MasterDatabase database, LogicalSlot slot, long from, long openBytes)
            throws IOException, MasterRefusedException {
        LogicalStream stream = connect(database, openBytes);
        try {
            stream.start(slot, from);
            return stream;
        } catch (IOException | MasterRefusedException | RuntimeException e) {
            stream.close();
            if (e instanceof MasterRefusedException refused && LogicalSlot.IN_USE.equals(refused.sqlState())) {
                release(database, slot);
            }
            throw e;
        }
    }

    private static void release(MasterDatabase database, LogicalSlot slot) {
        try (Connection master = database.connect()) {
            slot.release(master);
        } catch (SQLException e) {
            LOG.debug("Releasing a slot: {}", e.getMessage());
        }
    }

    /** Starts a stream in the same way, from a copy of the slot that ends with it; another stream may use the slot. */
    static LogicalStream openCopy(MasterDatabase database, LogicalSlot slot, long from, long openBytes)
            throws IOException, MasterRefusedException {
        // The copy of a connection that was lost may still be there.
        LogicalSlot copy = new LogicalSlot(slot.slot() + "_" + COPIES.incrementAndGet(), slot.publication());
        LogicalStream stream = connect(database, openBytes);
        try {
            stream.connection.command(
                    "SELECT pg_catalog.pg_copy_logical_replication_slot('" + slot.slot() + "', '" + copy.slot()
                            + "', true)",
                    ANSWER);
            stream.start(copy, from);
            return stream;
        } catch (IOException | MasterRefusedException | RuntimeException e) {
            stream.close();
            throw e;
        }
    }

    private static LogicalStream connect(MasterDatabase database, long openBytes)
            throws IOException, MasterRefusedException {
        return new LogicalStream(
                DecodingConnection.open(database.master(), database.user(), database.database(), ANSWER), openBytes);
    }

    private void start(LogicalSlot slot, long from) throws IOException, MasterRefusedException {
        // PostgreSQL parses the list of publications as identifiers, inside a literal.
        String publication = QualifiedName.quoted(slot.publication()).replace("'", "''");
        connection.command(
                "START_REPLICATION SLOT " + slot.slot() + " LOGICAL " + Lsn.format(from)
                        + " (proto_version '2', publication_names '" + publication + "', streaming 'on')",
                ANSWER);
    }

    /**
     * Waits for a message, at most this long, and gives what it completes.
     *
     * @return whether the Master asks for {@link #status}
     */
    boolean next(long nanos, Receiver receiver) throws IOException, MasterRefusedException, WriteSetTooLargeException {
        ByteBuffer message = connection.next(nanos);
        if (message == null) {
            return false;
        }
        char type = (char) message.get();
        message.getInt();
        switch (type) {
            case 'd' -> {
                return data(message, receiver);
            }
            case 'E' -> {
                Messages.ServerError error = Messages.serverError(message);
                throw new MasterRefusedException(error.sqlState(), error.text());
            }
            case 'N' -> {
                Messages.ServerError notice = Messages.serverError(message);
                if (notice.sqlState().equals(NOT_AS_REQUIRED)) {
                    throw new MasterRefusedException(notice.sqlState(), notice.text());
                }
            }
            case 'S' -> {}
            case 'c', 'C', 'Z' -> throw new IOException("the master ended the stream");
            default -> throw new MasterRefusedException("08P01", "unexpected message '" + type + "' in the stream");
        }
        return false;
    }

    private boolean data(ByteBuffer message, Receiver receiver) throws WriteSetTooLargeException {
        if (message.remaining() < DATA_HEADER - 8) {
            throw new MalformedWriteSetException("replication message of " + message.remaining() + " bytes");
        }
        char kind = (char) message.get(message.position());
        if (kind == 'k') {
            receiver.position(message.getLong(message.position() + 1));
            return message.get(message.limit() - 1) != 0;
        }
        if (kind == 'w') {
            message.position(message.position() + DATA_HEADER);
            Transaction transaction = assembler.take(decoder.decode(message.slice()));
            if (transaction != null) {
                receiver.transaction(transaction);
            }
        }
        return false;
    }

    /** Tells the Master how far this side is. */
    void status(long received, long confirmed, boolean replyRequested) throws IOException {
        connection.status(received, confirmed, replyRequested);
    }

    /** Returns the number of transactions that came in parts and were committed, for tests. */
    long streamed() {
        return assembler.streamed();
    }

    /** Makes {@link #next} return. Any thread. */
    void wakeUp() {
        connection.wakeUp();
    }

    @Override
    public void close() {
        connection.close();
    }
}
