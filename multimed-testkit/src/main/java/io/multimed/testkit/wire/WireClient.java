package io.multimed.testkit.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection that sends any bytes and reads whole messages.
 *
 * <p>It receives the server's answers while it sends, so that a long pipeline cannot block both sides. For one thread at a
 * time. An operation that takes longer than the patience fails with an {@link IOException} whose cause is a {@link
 * TimeoutException}.
 */
public final class WireClient implements AutoCloseable {
    /** Most bytes that a wrong length can make a test allocate; the largest message of the tests has 128 MB. */
    private static final int LONGEST_MESSAGE = 1 << 29;

    private final SocketChannel channel;
    private final Selector selector;
    private final SelectionKey key;
    private Duration patience;
    private ByteBuffer received = ByteBuffer.allocate(1 << 16).flip();
    private boolean ended;

    private WireClient(SocketChannel channel, Duration patience) throws IOException {
        this.channel = channel;
        this.patience = patience;
        channel.configureBlocking(false);
        selector = Selector.open();
        key = channel.register(selector, SelectionKey.OP_READ);
    }

    /** Connects and sends nothing. */
    public static WireClient connect(ServerAddress address, Duration patience) throws IOException {
        return new WireClient(SocketChannel.open(address.socketAddress()), patience);
    }

    public WireClient patience(Duration patience) {
        this.patience = patience;
        return this;
    }

    /** Sends all of it in as few segments as the socket takes. */
    public void send(byte[]... parts) throws IOException {
        int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
        ByteBuffer out = ByteBuffer.allocate(length);
        for (byte[] part : parts) {
            out.put(part);
        }
        out.flip();
        long deadline = deadline();
        while (true) {
            if (write(out) || !out.hasRemaining()) {
                return;
            }
            await(SelectionKey.OP_READ | SelectionKey.OP_WRITE, deadline);
            if (key.isReadable()) {
                fill();
                if (ended) {
                    throw new ConnectionEnded("closed while " + out.remaining() + " bytes were still to be sent");
                }
            }
        }
    }

    /**
     * Writes without ever reading until everything is sent, the server takes no more for {@code quiet}, or it closes.
     *
     * @return how many bytes the server took
     */
    public long flood(byte[] chunk, long total, Duration quiet) throws IOException {
        long sent = 0;
        ByteBuffer out = ByteBuffer.wrap(chunk);
        while (sent < total) {
            if (!out.hasRemaining()) {
                out.rewind();
            }
            int written;
            try {
                written = channel.write(out);
            } catch (IOException reset) {
                ended = true;
                return sent;
            }
            sent += written;
            if (written == 0) {
                key.interestOps(SelectionKey.OP_WRITE);
                if (selector.select(quiet.toMillis()) == 0) {
                    return sent;
                }
                selector.selectedKeys().clear();
            }
        }
        return sent;
    }

    /** Ends the output; the server's messages can still be read. */
    public void endOutput() throws IOException {
        channel.shutdownOutput();
    }

    /** Reads one byte that is not a message: the answer to an SSLRequest or GSSENCRequest. */
    public char readByte() throws IOException {
        need(1);
        return (char) received.get();
    }

    /** Waits for the next message and returns it. */
    public Message read() throws IOException {
        need(5);
        int length = received.getInt(received.position() + 1);
        if (length < 4 || length > LONGEST_MESSAGE) {
            throw new IOException("server sent a length of " + length);
        }
        need(length + 1);
        char type = (char) received.get();
        received.getInt();
        byte[] body = new byte[length - 4];
        received.get(body);
        return new Message(type, body);
    }

    /**
     * Reads the next message piece by piece, so that it may be of any length.
     *
     * @param body receives the pieces of its body, which it must not keep
     * @return its type
     */
    public char read(Consumer<ByteBuffer> body) throws IOException {
        need(5);
        char type = (char) received.get();
        int left = received.getInt() - 4;
        while (left > 0) {
            need(1);
            int taken = Math.min(left, received.remaining());
            body.accept(received.slice(received.position(), taken).asReadOnlyBuffer());
            received.position(received.position() + taken);
            left -= taken;
        }
        return type;
    }

    /** Returns the next message if one has arrived within {@code time}, else null. */
    public @Nullable Message poll(Duration time) throws IOException {
        Duration before = patience;
        patience = time;
        try {
            need(5);
            // A server may have sent only the beginning of it so far.
            need(received.getInt(received.position() + 1) + 1);
            patience = before;
            return read();
        } catch (IOException e) {
            if (e.getCause() instanceof TimeoutException) {
                return null;
            }
            throw e;
        } finally {
            patience = before;
        }
    }

    /** Reads up to and including the first message of one of these types. */
    public List<Message> readUntil(String types) throws IOException {
        List<Message> messages = new ArrayList<>();
        Message message;
        do {
            message = read();
            messages.add(message);
        } while (types.indexOf(message.type()) < 0);
        return messages;
    }

    /** Reads until the server closes; returns its messages. */
    public List<Message> readToEnd() throws IOException {
        List<Message> messages = new ArrayList<>();
        try {
            while (true) {
                messages.add(read());
            }
        } catch (ConnectionEnded end) {
            return messages;
        }
    }

    /** Whether the server closes within the time, sending nothing more. */
    public boolean endsWithin(Duration time) throws IOException {
        try {
            return poll(time) == null && ended;
        } catch (ConnectionEnded end) {
            return true;
        }
    }

    private void need(int bytes) throws IOException {
        long deadline = deadline();
        while (received.remaining() < bytes) {
            if (ended) {
                throw new ConnectionEnded("closed with " + received.remaining() + " bytes of a message received");
            }
            if (received.capacity() - received.position() < bytes) {
                int capacity = Math.max(bytes, received.capacity());
                received = ByteBuffer.allocate(capacity).put(received).flip();
            }
            if (fill() == 0) {
                await(SelectionKey.OP_READ, deadline);
            }
        }
    }

    /** Receives the bytes that have arrived. */
    private int fill() throws IOException {
        if (received.limit() == received.capacity()) {
            if (received.position() > 0) {
                received.compact().flip();
            } else {
                received = ByteBuffer.allocate(received.capacity() * 2)
                        .put(received)
                        .flip();
            }
        }
        int read;
        int position = received.position();
        int limit = received.limit();
        received.limit(received.capacity()).position(limit);
        try {
            read = channel.read(received);
        } catch (IOException reset) {
            read = -1;
        }
        limit = received.position();
        received.limit(limit).position(position);
        if (read < 0) {
            ended = true;
        }
        return Math.abs(read);
    }

    /** @return whether all was written */
    private boolean write(ByteBuffer out) throws IOException {
        try {
            channel.write(out);
        } catch (IOException reset) {
            // The bytes that the server sent before it closed can still be read; then the end appears.
            return true;
        }
        return !out.hasRemaining();
    }

    private void await(int operations, long deadline) throws IOException {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
            throw new IOException("no progress within " + patience, new TimeoutException());
        }
        key.interestOps(operations);
        selector.select(Math.max(1, left / 1_000_000));
        selector.selectedKeys().clear();
    }

    private long deadline() {
        return System.nanoTime() + patience.toNanos();
    }

    @Override
    public void close() throws IOException {
        selector.close();
        channel.close();
    }
}
