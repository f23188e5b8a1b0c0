package io.multimed.testkit.mariadb;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/**
 * Makes a Unix-domain socket reachable over TCP on the loopback interface, for drivers that know TCP alone. Each connection opens the socket
 * anew, so the server behind it may be another one by then.
 */
public final class SocketForwarder implements AutoCloseable {
    private static final int CHUNK = 1 << 16;

    private final Path socket;
    private final ServerSocketChannel listening;

    public SocketForwarder(Path socket) throws IOException {
        this.socket = socket;
        listening = ServerSocketChannel.open();
        listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Thread.ofPlatform().daemon().start(this::accept);
    }

    public int port() {
        return listening.socket().getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                SocketChannel client = listening.accept();
                Thread.ofPlatform().daemon().start(() -> forward(client));
            }
        } catch (IOException closed) {
            // The forwarder has been closed.
        }
    }

    private void forward(SocketChannel client) {
        try (client;
                SocketChannel server = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            client.setOption(StandardSocketOptions.TCP_NODELAY, true);
            server.connect(UnixDomainSocketAddress.of(socket));
            Thread.ofPlatform().daemon().start(() -> copy(server, client));
            copy(client, server);
        } catch (IOException refused) {
            // The client sees that its connection is closed.
        }
    }

    /** Copies until one of the two ends, then closes both. */
    private static void copy(SocketChannel from, SocketChannel to) {
        ByteBuffer bytes = ByteBuffer.allocate(CHUNK);
        try (from;
                to) {
            while (from.read(bytes) >= 0) {
                bytes.flip();
                while (bytes.hasRemaining()) {
                    to.write(bytes);
                }
                bytes.clear();
            }
        } catch (IOException ended) {
            // The other direction ends too.
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
