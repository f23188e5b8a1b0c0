package io.multimed.engine.postgresql.writeset;

import io.multimed.engine.postgresql.NodeAddress;
import io.multimed.engine.postgresql.wire.MasterRefusedException;
import io.multimed.engine.postgresql.wire.Messages;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a database's walsender: commands with their answers, then a stream in both directions. Its own, not pgjdbc's,
 * which keeps keepalives to itself, so that a position past commits that concern nobody would come with the next change only.
 *
 * <p>One thread at a time; {@link #wakeUp} and {@link #close} from any.
 */
final class DecodingConnection implements AutoCloseable {
    private static final int IN_BYTES = 256 * 1024;
    /** The longest message of a server (PQ_LARGE_MESSAGE_LIMIT is the bound of what a row can be). */
    private static final int MAX_MESSAGE = (1 << 30) - 1;

    /**
     * The output of values that reads back the same whatever the settings of the role and the database are, as PostgreSQL's own
     * subscriptions have it, with names of objects in full.
     */
    static final String EXACT_OUTPUT =
            "-c datestyle=ISO -c intervalstyle=postgres -c extra_float_digits=3 -c bytea_output=hex"
                    + " -c search_path= -c lc_monetary=C -c timezone=UTC";

    private final SocketChannel channel;
    private final Selector selector;
    private final ByteBuffer out = ByteBuffer.allocate(4096);
    private ByteBuffer in = ByteBuffer.allocate(IN_BYTES);
    private int processId;

    private DecodingConnection(SocketChannel channel, Selector selector) {
        this.channel = channel;
        this.selector = selector;
        in.limit(0);
    }

    /** Connects and logs in, which the Master must allow without a password. */
    static DecodingConnection open(NodeAddress master, String user, String database, Duration patience)
            throws IOException, MasterRefusedException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        Selector selector = Selector.open();
        DecodingConnection connection = new DecodingConnection(channel, selector);
        try {
            channel.connect(UnixDomainSocketAddress.of(master.socket()));
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            Map<String, String> parameters = new LinkedHashMap<>();
            parameters.put("user", user);
            parameters.put("database", database);
            parameters.put("replication", "database");
            parameters.put("application_name", "multimed_writeset");
            parameters.put("client_encoding", "UTF8");
            parameters.put("options", EXACT_OUTPUT);
            connection.write(ByteBuffer.wrap(Messages.startup(parameters)));
            connection.answer(patience);
            return connection;
        } catch (IOException | MasterRefusedException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** Returns the process ID of the walsender. */
    int processId() {
        return processId;
    }

    /**
     * Sends a command and waits for its answer.
     *
     * @return its rows, of texts that are null for NULL; empty if the command has begun a stream
     * @throws java.net.SocketTimeoutException if there is no answer in time; the connection is of no use then
     */
    List<@Nullable String[]> command(String command, Duration patience) throws IOException, MasterRefusedException {
        write(ByteBuffer.wrap(Messages.query(command)));
        return answer(patience);
    }

    private List<@Nullable String[]> answer(Duration patience) throws IOException, MasterRefusedException {
        long deadline = System.nanoTime() + patience.toNanos();
        List<@Nullable String[]> rows = new ArrayList<>();
        MasterRefusedException refused = null;
        while (true) {
            long left = deadline - System.nanoTime();
            ByteBuffer message = left <= 0 ? null : next(left);
            if (message == null) {
                if (left <= 0) {
                    throw new java.net.SocketTimeoutException("no answer from the master within " + patience);
                }
                continue;
            }
            char type = (char) message.get();
            message.getInt();
            switch (type) {
                case 'R' -> {
                    if (message.getInt() != 0) {
                        throw new MasterRefusedException("", "the master asks for a password");
                    }
                }
                case 'K' -> processId = message.getInt();
                case 'D' -> rows.add(columns(message));
                case 'E' -> {
                    Messages.ServerError error = Messages.serverError(message);
                    refused = new MasterRefusedException(error.sqlState(), error.text());
                    if (processId == 0) {
                        // No ReadyForQuery follows the refusal of a login.
                        throw refused;
                    }
                }
                case 'W' -> {
                    return List.of();
                }
                case 'Z' -> {
                    if (refused != null) {
                        throw refused;
                    }
                    return rows;
                }
                case 'S', 'N', 'T', 'C', 'v' -> {}
                default -> throw new MasterRefusedException("08P01", "unexpected message '" + type + "'");
            }
        }
    }

    private static @Nullable String[] columns(ByteBuffer message) {
        @Nullable String[] columns = new @Nullable String[message.getShort()];
        for (int i = 0; i < columns.length; i++) {
            int length = message.getInt();
            if (length >= 0) {
                byte[] text = new byte[length];
                message.get(text);
                columns[i] = new String(text, StandardCharsets.UTF_8);
            }
        }
        return columns;
    }

    /**
     * Returns the next message whole, with type and length in front; it is valid until the next call.
     *
     * @return null if none has come in time or {@link #wakeUp} was called
     */
    @Nullable
    ByteBuffer next(long nanos) throws IOException {
        ByteBuffer message = buffered();
        if (message != null) {
            return message;
        }
        long deadline = System.nanoTime() + nanos;
        while (true) {
            in.compact();
            int count = channel.read(in);
            in.flip();
            if (count < 0) {
                throw new EOFException("the master closed the connection");
            }
            if (count > 0) {
                message = buffered();
                if (message != null) {
                    return message;
                }
                continue;
            }
            long left = deadline - System.nanoTime();
            if (left <= 0 || !selector.isOpen()) {
                return null;
            }
            selector.select(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
            if (selector.selectedKeys().isEmpty()) {
                return null;
            }
            selector.selectedKeys().clear();
        }
    }

    private @Nullable ByteBuffer buffered() throws IOException {
        if (in.remaining() < Messages.HEADER) {
            return null;
        }
        int length = in.getInt(in.position() + 1);
        if (length < 4 || length > MAX_MESSAGE) {
            throw new IOException("message of length " + length + " from the master");
        }
        if (in.remaining() < 1 + length) {
            if (in.remaining() == in.capacity()) {
                // It grows by what has come, not by what was announced.
                int room = Math.min(1 + length, 2 * in.capacity());
                in = ByteBuffer.allocate(room).put(in).flip();
            }
            return null;
        }
        ByteBuffer message = in.slice(in.position(), 1 + length);
        in.position(in.position() + 1 + length);
        if (!in.hasRemaining() && in.capacity() > IN_BYTES) {
            in = ByteBuffer.allocate(IN_BYTES).flip();
        }
        return message;
    }

    /** Tells the Master how far this side is. */
    void status(long written, long flushed, boolean replyRequested) throws IOException {
        out.clear();
        Messages.putStatusUpdate(out, written, flushed, replyRequested);
        write(out.flip());
    }

    /** The messages of this side are short, so the socket takes them at once unless the Master does not read. */
    private void write(ByteBuffer bytes) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (bytes.hasRemaining()) {
            if (channel.write(bytes) == 0) {
                if (System.nanoTime() > deadline) {
                    throw new IOException("the master does not read");
                }
                Thread.onSpinWait();
            }
        }
    }

    /** Makes {@link #next} return. Any thread. */
    void wakeUp() {
        selector.wakeup();
    }

    @Override
    public void close() {
        try {
            channel.close();
            selector.close();
        } catch (IOException e) {
            // The descriptor is released all the same.
            throw new java.io.UncheckedIOException(e);
        }
    }
}
