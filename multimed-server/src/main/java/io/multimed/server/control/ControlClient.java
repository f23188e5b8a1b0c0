package io.multimed.server.control;

import io.multimed.server.startup.StartException;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Sends requests to a running instance. */
public final class ControlClient {
    private ControlClient() {}

    /**
     * Sends one request and returns the answer; blocks until it arrives.
     *
     * @param socket the instance's control socket
     * @param directory names the instance in messages
     * @throws StartException if no instance answers there; one sentence
     */
    public static String ask(Path socket, Path directory, ControlRequest request) throws StartException {
        return ask(socket, directory, request, "");
    }

    /**
     * Sends one request with an argument, a line; see {@link #ask(Path, Path, ControlRequest)}.
     *
     * @param argument empty for none
     */
    public static String ask(Path socket, Path directory, ControlRequest request, String argument)
            throws StartException {
        String line = argument.isEmpty() ? request.written() : request.written() + " " + argument;
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            var bytes = StandardCharsets.UTF_8.encode(line + "\n");
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            BufferedReader in = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
            String answer = in.readLine();
            if (answer == null) {
                throw new StartException("the Multimed on " + directory + " is ending");
            }
            return answer;
        } catch (IOException e) {
            boolean denied = e instanceof AccessDeniedException
                    || (Files.exists(directory) && !Files.isReadable(directory))
                    || (Files.exists(socket) && !Files.isWritable(socket));
            throw new StartException(
                    denied
                            ? "the user " + System.getProperty("user.name") + " may not control the Multimed on "
                                    + directory
                            : "no Multimed runs on " + directory,
                    e);
        }
    }
}
