package io.multimed.engine.postgresql.writeset;

import io.multimed.engine.postgresql.NodeAddress;
import io.multimed.engine.postgresql.catalog.AdminConnection;
import io.multimed.engine.postgresql.wire.Lsn;
import io.multimed.engine.postgresql.wire.MasterRefusedException;
import io.multimed.engine.postgresql.wire.Messages;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Master's committed transactions from one logical slot, decoded once, for any number of subscribers.
 *
 * <p>The order of use: {@link #open}, {@link #create} unless the slot exists, {@link #subscribe}, {@link #start}. The stream ends
 * with its connection; a temporary slot ends with it.
 *
 * <p>The slowest subscriber sets the pace: the stream waits while a queue is full. A subscriber that makes no progress meanwhile is
 * given up after {@link #PATIENCE}. Only positions that all subscribers are done with are confirmed to the Master, which keeps the
 * log behind them.
 */
public final class LogicalStream implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LogicalStream.class);
    /** Bound of the memory of transactions that have not ended; a larger one ends the stream. */
    public static final long DEFAULT_OPEN_BYTES = 512L << 20;

    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long STATUS_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** The positions of a message with data: kind, start, end, time. */
    private static final int DATA_HEADER = 1 + 8 + 8 + 8;

    private static final String BLOCKERS = """
            SELECT pg_catalog.string_agg(coalesce(a.name, 'a prepared transaction, see pg_prepared_xacts'), '; ')
            FROM pg_catalog.unnest(pg_catalog.pg_blocking_pids(?)) AS b(pid)
            LEFT JOIN LATERAL (SELECT pg_catalog.format('process %s of %s (%s), in a transaction since %s',
                pid, usename, state, xact_start) AS name FROM pg_catalog.pg_stat_activity WHERE pid = b.pid) AS a ON true""";

    private final NodeAddress master;
    private final String user;
    private final String database;
    private final LogicalSlot slot;
    private final DecodingConnection connection;
    private final TransactionAssembler assembler;
    private final LogicalDecoder decoder = new LogicalDecoder();
    private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();
    private volatile boolean closing;
    private volatile boolean replyRequested;
    private volatile long received;
    private @Nullable Thread thread;
    private long statusDue;

    private LogicalStream(
            NodeAddress master,
            String user,
            String database,
            LogicalSlot slot,
            DecodingConnection connection,
            long openBytes) {
        this.master = master;
        this.user = user;
        this.database = database;
        this.slot = slot;
        this.connection = connection;
        assembler = new TransactionAssembler(openBytes);
    }

    /**
     * Connects to a database of the Master.
     *
     * @param user who may replicate, and sees the activity of others
     * @param openBytes bound of the memory of transactions that have not ended
     */
    public static LogicalStream open(NodeAddress master, String user, String database, LogicalSlot slot, long openBytes)
            throws IOException {
        try {
            DecodingConnection connection = DecodingConnection.open(master, user, database, ANSWER);
            return new LogicalStream(master, user, database, slot, connection, openBytes);
        } catch (MasterRefusedException e) {
            throw refused(e);
        }
    }

    /**
     * Creates the slot. PostgreSQL waits for all transactions that have written and not ended, so this may take long.
     *
     * @param temporary whether the slot ends with this stream
     * @param export whether a snapshot at its position shall be exported
     * @throws TimeoutException if the time is over; the message names the transaction that was waited for. The stream is closed
     */
    public LogicalSlot.Created create(boolean temporary, boolean export, Duration patience)
            throws IOException, TimeoutException {
        String command = "CREATE_REPLICATION_SLOT " + slot.slot() + (temporary ? " TEMPORARY" : "")
                + " LOGICAL pgoutput (SNAPSHOT '" + (export ? "export" : "nothing") + "')";
        try {
            @Nullable String[] row = connection.command(command, patience).get(0);
            String snapshot = row[2];
            return new LogicalSlot.Created(Lsn.parse(Objects.requireNonNull(row[1])), snapshot == null ? "" : snapshot);
        } catch (SocketTimeoutException e) {
            String blocker = endCreation();
            TimeoutException late = new TimeoutException("the logical slot " + slot.slot()
                    + " could not be created within " + patience.toSeconds() + " s: PostgreSQL waits for " + blocker);
            late.initCause(e);
            throw late;
        } catch (MasterRefusedException e) {
            throw refused(e);
        }
    }

    /** Ends a creation under way: its walsender would not notice that the connection is closed. Returns what it waits for. */
    private String endCreation() {
        String blocker = null;
        try (Connection admin = AdminConnection.open(master, user, database);
                PreparedStatement names = admin.prepareStatement(BLOCKERS);
                PreparedStatement end = admin.prepareStatement("SELECT pg_catalog.pg_terminate_backend(?)")) {
            names.setInt(1, connection.processId());
            try (ResultSet row = names.executeQuery()) {
                blocker = row.next() ? row.getString(1) : null;
            }
            end.setInt(1, connection.processId());
            end.execute();
        } catch (SQLException e) {
            LOG.debug("Ending the creation of a slot: {}", e.getMessage());
        }
        close();
        return blocker == null ? "transactions that are not known" : blocker;
    }

    /** Adds a subscriber; before {@link #start}, so that it misses nothing. */
    public void subscribe(Subscription subscription) {
        if (thread != null) {
            throw new IllegalStateException("the stream has started");
        }
        subscriptions.add(subscription);
    }

    /**
     * Starts the stream at the slot's confirmed position, or at the least that a subscriber has if that is later.
     *
     * @param onEnd called once, by the stream's thread, when the stream has ended; not after {@link #close}. The subscriptions
     *     have ended with the same cause
     */
    public void start(Consumer<Throwable> onEnd) throws IOException {
        long from = confirmed();
        // PostgreSQL parses the list of publications as identifiers, inside a literal.
        String publication = QualifiedName.quoted(slot.publication()).replace("'", "''");
        try {
            connection.command(
                    "START_REPLICATION SLOT " + slot.slot() + " LOGICAL " + Lsn.format(from) + " (proto_version '2',"
                            + " publication_names '" + publication + "', streaming 'on')",
                    ANSWER);
        } catch (MasterRefusedException e) {
            throw refused(e);
        }
        received = from;
        Thread started = new Thread(() -> run(onEnd), "multimed-writesets");
        started.setDaemon(true);
        thread = started;
        started.start();
    }

    private static IOException refused(MasterRefusedException e) {
        return new IOException("the master refuses: " + e.getMessage() + " (" + e.sqlState() + ")", e);
    }

    private void run(Consumer<Throwable> onEnd) {
        Throwable cause;
        try {
            while (!closing) {
                turn();
            }
            return;
        } catch (MasterRefusedException e) {
            cause = refused(e);
        } catch (InterruptedException
                | IOException
                | WriteSetTooLargeException
                | RuntimeException
                | OutOfMemoryError e) {
            cause = e;
        }
        if (!closing) {
            connection.close();
            for (Subscription subscription : subscriptions) {
                subscription.end(cause);
            }
            onEnd.accept(cause);
        }
    }

    private void turn() throws IOException, MasterRefusedException, WriteSetTooLargeException, InterruptedException {
        awaitRoom();
        long now = System.nanoTime();
        if (replyRequested || now - statusDue >= 0) {
            status();
        }
        ByteBuffer message = connection.next(SLICE_NANOS);
        if (message != null) {
            take(message);
        }
    }

    private void status() throws IOException {
        boolean reply = replyRequested;
        replyRequested = false;
        statusDue = System.nanoTime() + STATUS_NANOS;
        connection.status(received, confirmed(), reply);
    }

    /** Returns the position that all subscribers are done with. */
    private long confirmed() {
        long least = Long.MAX_VALUE;
        for (Subscription subscription : subscriptions) {
            if (subscription.ended() == null) {
                least = Math.min(least, subscription.done());
            }
        }
        return least == Long.MAX_VALUE ? received : least;
    }

    private void take(ByteBuffer message) throws IOException, MasterRefusedException, WriteSetTooLargeException {
        char type = (char) message.get();
        message.getInt();
        switch (type) {
            case 'd' -> data(message);
            case 'E' -> {
                Messages.ServerError error = Messages.serverError(message);
                throw new MasterRefusedException(error.sqlState(), error.text());
            }
            case 'N', 'S' -> {}
            case 'c', 'C', 'Z' -> throw new IOException("the master ended the stream");
            default -> throw new MasterRefusedException("08P01", "unexpected message '" + type + "' in the stream");
        }
    }

    private void data(ByteBuffer message) throws IOException, WriteSetTooLargeException {
        if (message.remaining() < DATA_HEADER - 8) {
            throw new MalformedWriteSetException("replication message of " + message.remaining() + " bytes");
        }
        char kind = (char) message.get(message.position());
        if (kind == 'k') {
            long position = message.getLong(message.position() + 1);
            boolean reply = message.get(message.limit() - 1) != 0;
            // Every commit that ends at or before it has been sent.
            advance(position);
            if (reply) {
                status();
            }
        } else if (kind == 'w') {
            message.position(message.position() + DATA_HEADER);
            Transaction transaction = assembler.take(decoder.decode(message.slice()));
            if (transaction != null) {
                for (Subscription subscription : subscriptions) {
                    subscription.offer(transaction);
                }
                received = Math.max(received, transaction.scn());
            }
        }
    }

    private void advance(long position) {
        if (position > received) {
            received = position;
        }
        for (Subscription subscription : subscriptions) {
            subscription.position(position);
        }
    }

    /** Waits until every queue has room; a subscriber that takes nothing meanwhile is given up. */
    private void awaitRoom() throws IOException, InterruptedException {
        for (Subscription subscription : subscriptions) {
            long since = System.nanoTime();
            long done = subscription.done();
            while (!closing && !subscription.awaitRoom(SLICE_NANOS)) {
                // The Master ends a connection that is silent for long.
                if (System.nanoTime() - statusDue >= 0) {
                    status();
                }
                if (subscription.done() != done) {
                    done = subscription.done();
                    since = System.nanoTime();
                } else if (System.nanoTime() - since > PATIENCE.toNanos()) {
                    subscription.end(new TimeoutException(
                            "no group was applied within " + PATIENCE.toSeconds() + " s, and the queue is full"));
                }
            }
        }
    }

    /** Has the Master report at once how far it is, for a reader that waits. Any thread. */
    public void hurry() {
        replyRequested = true;
        connection.wakeUp();
    }

    /** Returns the position up to which everything was received. Any thread. */
    public long received() {
        return received;
    }

    /** Returns the number of transactions that came in streams and were committed, for tests. */
    long streamed() {
        return assembler.streamed();
    }

    /** Ends the stream; the subscriptions stay as they are, for another stream of the same slot. Any thread. */
    @Override
    public void close() {
        closing = true;
        connection.wakeUp();
        Thread running = thread;
        if (running != null && running != Thread.currentThread()) {
            try {
                running.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        connection.close();
    }
}
