package io.multimed.engine.mariadb.wire;

import io.multimed.engine.mariadb.EngineAccount;
import io.multimed.protocol.mysql.AuthSwitch;
import io.multimed.protocol.mysql.Capability;
import io.multimed.protocol.mysql.ErrMessage;
import io.multimed.protocol.mysql.Fields;
import io.multimed.protocol.mysql.HandshakeResponse;
import io.multimed.protocol.mysql.MysqlCommand;
import io.multimed.protocol.mysql.MysqlProtocolException;
import io.multimed.protocol.mysql.NativePassword;
import io.multimed.protocol.mysql.Packets;
import io.multimed.protocol.mysql.Reply;
import io.multimed.protocol.mysql.ServerGreeting;
import io.multimed.protocol.mysql.TextRow;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection of Multimed itself to an engine's private socket.
 *
 * <p>Used by one thread, except {@link #close}, which any thread may call to end a wait of that thread, and {@link #send}, which
 * another thread may call while the first one receives.
 */
public final class EngineConnection implements AutoCloseable {
    /** Capabilities of Multimed's own conversations: result sets end with EOF, and nothing of the session's state is told. */
    public static final long CAPABILITIES = Capability.MYSQL
            | Capability.PROTOCOL_41
            | Capability.TRANSACTIONS
            | Capability.SECURE_CONNECTION
            | Capability.PLUGIN_AUTH;

    private static final int UTF8MB4_GENERAL_CI = 45;
    private static final int CHUNK = 64 << 10;
    private static final int LONGEST_ANSWER = 256 << 20;
    /** Length of an EOF message at most; a row that begins with the same byte is longer. */
    private static final int LONGEST_EOF = 8;

    private final SocketChannel channel;
    private final Selector selector;
    private final Duration patience;
    private final ByteBuf in = Unpooled.buffer(CHUNK);
    private final Object writing = new Object();
    private ServerGreeting greeting;

    /**
     * Connects and logs in.
     *
     * @param patience longest wait for an answer
     * @throws EngineSqlException if the engine refuses
     */
    public static EngineConnection open(Path socket, EngineAccount account, Duration patience) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.configureBlocking(false);
            if (!channel.connect(UnixDomainSocketAddress.of(socket))) {
                // Unlike TCP, a Unix socket either connects at once or its queue is full.
                throw new IOException("the socket " + socket + " accepts no connection now");
            }
            return new EngineConnection(channel, account, patience);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private EngineConnection(SocketChannel channel, EngineAccount account, Duration patience) throws IOException {
        this.channel = channel;
        this.patience = patience;
        this.selector = Selector.open();
        try {
            channel.register(selector, SelectionKey.OP_READ);
            greeting = ServerGreeting.decode(answer());
            logIn(account);
        } catch (MysqlProtocolException e) {
            selector.close();
            throw malformed(e);
        } catch (IOException | RuntimeException e) {
            selector.close();
            throw e;
        }
    }

    private void logIn(EngineAccount account) throws IOException, MysqlProtocolException {
        byte @Nullable [] hash = NativePassword.hash(account.password());
        ByteBuf response = Unpooled.buffer();
        HandshakeResponse.of(
                        CAPABILITIES,
                        UTF8MB4_GENERAL_CI,
                        account.user(),
                        NativePassword.reply(hash, greeting.scramble()))
                .encode(response);
        send(1, response);
        Packets.Packet packet = packet();
        ByteBuf payload = packet.payload();
        if (first(payload) == Reply.EOF) {
            AuthSwitch other = AuthSwitch.decode(payload);
            if (!other.plugin().equals(NativePassword.NAME)) {
                throw new IOException(
                        "the engine wants the authentication " + other.plugin() + " of '" + account.user() + "'");
            }
            send(packet.sequence() + 1, Unpooled.wrappedBuffer(NativePassword.reply(hash, other.scramble())));
            answer();
        } else if (first(payload) == Reply.ERR) {
            throw new EngineSqlException(ErrMessage.decode(payload));
        }
    }

    /** Returns the engine's first message. */
    public ServerGreeting greeting() {
        return greeting;
    }

    /** Executes a statement without rows, or ignores its rows. */
    public void execute(String sql) throws IOException {
        query(sql);
    }

    /** Returns the first value of the first row; null if that is NULL, or there is no row. */
    public @Nullable String value(String sql) throws IOException {
        List<List<@Nullable String>> rows = query(sql);
        return rows.isEmpty() ? null : rows.getFirst().getFirst();
    }

    /** Returns the value that {@code SHOW GLOBAL STATUS} has for a name. */
    public String status(String name) throws IOException {
        List<List<@Nullable String>> rows = query("SHOW GLOBAL STATUS LIKE '" + name + "'");
        String value = rows.isEmpty() ? null : rows.getFirst().get(1);
        if (value == null) {
            throw new IOException("the engine has no status " + name);
        }
        return value;
    }

    /** Executes one statement. */
    public List<List<@Nullable String>> query(String sql) throws IOException {
        ByteBuf command = Unpooled.buffer();
        Packets.command(command, MysqlCommand.QUERY, sql);
        sendRaw(command);
        try {
            ByteBuf payload = answer();
            if (first(payload) == Reply.OK) {
                return List.of();
            }
            int columns = (int) Fields.readInteger(payload);
            for (int i = 0; i <= columns; i++) {
                // The definitions of the columns, and the EOF behind them.
                answer();
            }
            List<List<@Nullable String>> rows = new ArrayList<>();
            for (payload = answer(); !isEof(payload); payload = answer()) {
                rows.add(TextRow.decode(payload, columns));
            }
            return rows;
        } catch (MysqlProtocolException e) {
            throw malformed(e);
        }
    }

    private static boolean isEof(ByteBuf payload) {
        return first(payload) == Reply.EOF && payload.readableBytes() <= LONGEST_EOF;
    }

    private static int first(ByteBuf payload) {
        return payload.isReadable() ? payload.getUnsignedByte(payload.readerIndex()) : -1;
    }

    private static IOException malformed(MysqlProtocolException e) {
        return new IOException("the engine's answer is malformed: " + e.getMessage(), e);
    }

    /** Returns the next payload, valid until the next call. */
    private ByteBuf answer() throws IOException, MysqlProtocolException {
        ByteBuf payload = packet().payload();
        if (first(payload) == Reply.ERR) {
            throw new EngineSqlException(ErrMessage.decode(payload));
        }
        return payload;
    }

    private Packets.Packet packet() throws IOException, MysqlProtocolException {
        while (true) {
            Packets.Packet packet = Packets.read(in, LONGEST_ANSWER);
            if (packet != null) {
                return packet;
            }
            receive(patience);
        }
    }

    /**
     * Waits for more bytes of the engine's.
     *
     * @param longest wait; zero: without limit
     * @return the buffer of all bytes that are not yet consumed. The caller consumes from it
     */
    public ByteBuf receive(Duration longest) throws IOException {
        in.discardReadBytes();
        long deadline = System.nanoTime() + longest.toNanos();
        while (true) {
            int count = in.writeBytes(channel, CHUNK);
            if (count < 0) {
                throw new EOFException("the engine closed the connection");
            }
            if (count > 0) {
                return in;
            }
            long left = longest.isZero() ? 0 : deadline - System.nanoTime();
            if (!longest.isZero() && left <= 0) {
                throw new IOException("no answer within " + longest.toMillis() + " ms");
            }
            await(left);
        }
    }

    /** Returns the bytes received that are not yet consumed. */
    public ByteBuf received() {
        return in;
    }

    private void await(long nanos) throws IOException {
        try {
            selector.select(nanos == 0 ? 0 : Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)));
            selector.selectedKeys().clear();
        } catch (ClosedSelectorException e) {
            throw new IOException("closed", e);
        }
        if (!selector.isOpen()) {
            throw new IOException("closed");
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new IOException("interrupted");
        }
    }

    /** Sends one payload. */
    public void send(int sequence, ByteBuf payload) throws IOException {
        ByteBuf out = Unpooled.buffer(payload.readableBytes() + Packets.HEADER);
        Packets.write(out, sequence, payload);
        sendRaw(out);
    }

    /** Sends bytes that are framed already. */
    public void sendRaw(ByteBuf framed) throws IOException {
        ByteBuffer bytes = framed.nioBuffer();
        synchronized (writing) {
            while (bytes.hasRemaining()) {
                if (channel.write(bytes) == 0) {
                    // The engine does not read just now, which happens only with long statements.
                    Thread.yield();
                }
            }
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
            selector.close();
        } catch (IOException e) {
            // There is nothing left to be closed.
            return;
        }
    }
}
