package io.multimed.server.control;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers requests on the control socket. */
public final class ControlServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ControlServer.class);
    private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

    /** Answers one request. Called on a thread of the control socket; may block. */
    @FunctionalInterface
    public interface Requests {
        /**
         * Answers one request.
         *
         * @param argument empty if there is none
         * @return one line without its end
         */
        String answer(ControlRequest request, String argument);
    }

    private final Path socket;
    private final ServerSocketChannel listener;

    private ControlServer(Path socket, ServerSocketChannel listener) {
        this.socket = socket;
        this.listener = listener;
    }

    /**
     * Listens. A socket that an earlier instance left behind is replaced, so the caller must hold the instance's lock.
     *
     * @param socket path in an existing directory in which no other user can write
     */
    public static ControlServer start(Path socket, Requests requests) throws IOException {
        Files.deleteIfExists(socket);
        ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            listener.bind(UnixDomainSocketAddress.of(socket));
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
        } catch (IOException e) {
            listener.close();
            throw e;
        }
        ControlServer server = new ControlServer(socket, listener);
        Thread.ofPlatform().daemon().name("multimed-control").start(() -> server.serve(requests));
        return server;
    }

    private void serve(Requests requests) {
        while (listener.isOpen()) {
            try {
                SocketChannel client = listener.accept();
                // A silent client must not keep others waiting.
                Thread.ofPlatform().daemon().name("multimed-control-client").start(() -> answer(client, requests));
            } catch (ClosedChannelException e) {
                return;
            } catch (IOException e) {
                log.warn("The control socket failed: {}", e.toString());
                // A client that could not be accepted, for instance for lack of file descriptors, is still pending at
                // the next attempt.
                LockSupport.parkNanos(PAUSE);
            }
        }
    }

    private static void answer(SocketChannel client, Requests requests) {
        try (client;
                BufferedReader in = new BufferedReader(Channels.newReader(client, StandardCharsets.UTF_8))) {
            String line = in.readLine();
            String[] words = (line == null ? "" : line).split(" ", 2);
            String argument = words.length > 1 ? words[1] : "";
            String answer = ControlRequest.parse(words[0])
                    .map(request -> requests.answer(request, argument))
                    .orElse("unknown request");
            var bytes = StandardCharsets.UTF_8.encode(answer + "\n");
            while (bytes.hasRemaining()) {
                client.write(bytes);
            }
        } catch (IOException e) {
            log.info("A control client went away: {}", e.toString());
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
            Files.deleteIfExists(socket);
        } catch (IOException e) {
            log.warn("Closing the control socket: {}", e.toString());
        }
    }
}
