package io.multimed.engine.postgresql.relay;

import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The socket to which the Satellites' walreceivers connect.
 *
 * <p>Relay thread.
 */
final class WalreceiverSocket implements RelayLoop.Ready, Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(WalreceiverSocket.class);
    /**
     * Pause after a connection could not be accepted, as for lack of file descriptors. The connection stays ready: without a
     * pause the loop would spin.
     */
    private static final long ACCEPT_PAUSE = TimeUnit.SECONDS.toNanos(1);

    /** The receiver of the connections. */
    interface Arrivals {
        void arrived(SocketChannel channel) throws IOException;
    }

    private final Path path;
    private final Arrivals arrivals;
    private final ServerSocketChannel server;
    private final SelectionKey accepting;
    /** Time at which walreceivers are accepted again. */
    private long nextAccept = Long.MAX_VALUE;

    WalreceiverSocket(Path path, Selector selector, Arrivals arrivals) throws IOException {
        this.path = path;
        this.arrivals = arrivals;
        server = listen(path);
        server.configureBlocking(false);
        accepting = server.register(selector, SelectionKey.OP_ACCEPT, this);
    }

    private static ServerSocketChannel listen(Path path) throws IOException {
        // An earlier run may have left the socket. The owner of the directory ensures that no other process uses it.
        Files.deleteIfExists(path);
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.bind(UnixDomainSocketAddress.of(path));
            // The engines run as another user than a Multimed started by root; the directory keeps others out.
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
            return server;
        } catch (IOException e) {
            server.close();
            throw e;
        }
    }

    @Override
    public void ready(SelectionKey key) {
        try {
            for (SocketChannel channel = server.accept(); channel != null; channel = server.accept()) {
                arrivals.arrived(channel);
            }
        } catch (IOException e) {
            LOG.warn("cannot accept a walreceiver: {}", e.getMessage());
            accepting.interestOps(0);
            nextAccept = RelayLoop.now() + ACCEPT_PAUSE;
        }
    }

    @Override
    public void failed(RuntimeException cause) {
        LOG.warn("a walreceiver could not be accepted");
    }

    /** Accepts again once a pause is over; returns the time of the next call. */
    long onTimer(long now) {
        if (now >= nextAccept) {
            nextAccept = Long.MAX_VALUE;
            accepting.interestOps(SelectionKey.OP_ACCEPT);
        }
        return nextAccept;
    }

    @Override
    public void close() throws IOException {
        server.close();
        Files.deleteIfExists(path);
    }
}
