package io.multimed.engine.postgresql.catalog;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Socket} over a Unix-domain channel. It supports the calls that pgjdbc uses, read timeouts included.
 *
 * <p>One thread reads and one writes at a time, as in a socket; {@link #close} may come from any.
 */
final class UnixSocket extends Socket {
    private final UnixDomainSocketAddress address;
    private final SocketChannel channel;
    private final Selector readable;
    private final Selector writable;
    private volatile int timeoutMillis;

    UnixSocket(Path path) throws IOException {
        address = UnixDomainSocketAddress.of(path);
        channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        readable = Selector.open();
        writable = Selector.open();
    }

    /** Connects to the path of the factory and ignores the driver's address. */
    @Override
    public void connect(@Nullable SocketAddress endpoint, int timeout) throws IOException {
        channel.connect(address);
        // Non-blocking, because only a selector waits with a limit.
        channel.configureBlocking(false);
        channel.register(readable, SelectionKey.OP_READ);
        channel.register(writable, SelectionKey.OP_WRITE);
    }

    @Override
    public void connect(@Nullable SocketAddress endpoint) throws IOException {
        connect(endpoint, 0);
    }

    @Override
    public InputStream getInputStream() {
        return new Input();
    }

    @Override
    public OutputStream getOutputStream() {
        return new Output();
    }

    @Override
    public synchronized void close() throws IOException {
        channel.close();
        readable.close();
        writable.close();
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public boolean isConnected() {
        return channel.isConnected();
    }

    @Override
    public InetAddress getInetAddress() {
        return InetAddress.getLoopbackAddress();
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    @Override
    public void setSoTimeout(int millis) {
        timeoutMillis = millis;
    }

    @Override
    public int getSoTimeout() {
        return timeoutMillis;
    }

    /** Does nothing: a Unix-domain socket never delays. */
    @Override
    public void setTcpNoDelay(boolean on) {}

    @Override
    public void setKeepAlive(boolean on) {}

    private void await(Selector selector, int millis) throws IOException {
        int ready;
        try {
            ready = selector.select(millis);
            selector.selectedKeys().clear();
        } catch (ClosedSelectorException e) {
            throw new SocketException("Socket closed", e);
        }
        if (!channel.isOpen()) {
            throw new SocketException("Socket closed");
        }
        if (ready == 0 && millis > 0) {
            throw new SocketTimeoutException("Read timed out");
        }
        if (Thread.currentThread().isInterrupted()) {
            // An interrupted select returns at once on every call, so the loop would spin.
            throw new SocketException("Interrupted");
        }
    }

    private final class Input extends InputStream {
        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
            if (length == 0) {
                return 0;
            }
            int read = channel.read(buffer);
            while (read == 0) {
                await(readable, timeoutMillis);
                read = channel.read(buffer);
            }
            return read;
        }

        @Override
        public void close() throws IOException {
            UnixSocket.this.close();
        }
    }

    private final class Output extends OutputStream {
        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
            while (buffer.hasRemaining()) {
                if (channel.write(buffer) == 0) {
                    await(writable, 0);
                }
            }
        }

        @Override
        public void close() throws IOException {
            UnixSocket.this.close();
        }
    }
}
