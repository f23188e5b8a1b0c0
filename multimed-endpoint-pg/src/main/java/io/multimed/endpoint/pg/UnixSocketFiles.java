package io.multimed.endpoint.pg;

import io.multimed.endpoint.pg.config.SocketDirectory;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The socket in its directory, and the file that locks it, with PostgreSQL's names. So clients find it by port, and neither a
 * PostgreSQL nor another Multimed takes the place of a socket that is in use. Any thread.
 */
final class UnixSocketFiles implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(UnixSocketFiles.class);
    /** Bytes of a path in {@code struct sockaddr_un}, without the zero at its end. */
    private static final int LONGEST_PATH = 107;

    private static final int ATTEMPTS = 10;
    /** The locks of this process. A file with the number of this process may also be left over from an earlier one. */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final SocketDirectory options;
    private final Path socket;
    private final Path lock;

    private UnixSocketFiles(SocketDirectory options, Path socket, Path lock) {
        this.options = options;
        this.socket = socket;
        this.lock = lock;
    }

    /**
     * Takes the place of the socket, from which it removes one that is not in use.
     *
     * @throws IOException if another process uses it, or the directory does not permit it
     */
    static UnixSocketFiles lock(SocketDirectory options, int port) throws IOException {
        Path socket = options.directory().toAbsolutePath().resolve(".s.PGSQL." + port);
        if (socket.toString().getBytes(StandardCharsets.UTF_8).length > LONGEST_PATH) {
            throw new IOException(
                    "Unix-domain socket path \"" + socket + "\" is too long (maximum " + LONGEST_PATH + " bytes)");
        }
        Path lock = socket.resolveSibling(socket.getFileName() + ".lock");
        String content = String.join(
                "\n",
                Long.toString(ProcessHandle.current().pid()),
                options.directory().toString(),
                Long.toString(Instant.now().getEpochSecond()),
                Integer.toString(port),
                options.directory().toString(),
                "");
        for (int attempt = 1; ; attempt++) {
            try {
                Files.writeString(lock, content, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
                break;
            } catch (FileAlreadyExistsException exists) {
                String owner = Files.readAllLines(lock).stream().findFirst().orElse("");
                if (attempt == ATTEMPTS || isInUse(lock, socket, owner)) {
                    throw new IOException("lock file \"" + lock + "\" already exists: the process " + owner
                            + " uses the socket \"" + socket + "\"");
                }
                Files.deleteIfExists(lock);
            }
        }
        HELD.add(lock);
        Files.deleteIfExists(socket);
        return new UnixSocketFiles(options, socket, lock);
    }

    /** Whether the owner lives, or somebody listens: numbers of processes are given out again, above all in containers. */
    private static boolean isInUse(Path lock, Path socket, String owner) {
        if (HELD.contains(lock)) {
            return true;
        }
        boolean lives = owner.matches("[0-9]{1,10}")
                && Long.parseLong(owner) != ProcessHandle.current().pid()
                && ProcessHandle.of(Long.parseLong(owner)).isPresent();
        if (!lives) {
            return false;
        }
        try (SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            return client.isConnected();
        } catch (IOException nobodyListens) {
            return false;
        }
    }

    Path socket() {
        return socket;
    }

    /** Lets those connect who may, once the socket exists. */
    void admit() throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(socket, PosixFileAttributeView.class);
        if (options.group().isPresent()) {
            String name = options.group().get();
            try {
                view.setGroup(
                        socket.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByGroupName(name));
            } catch (UserPrincipalNotFoundException e) {
                throw new IOException("there is no group \"" + name + "\" for the socket " + socket, e);
            }
        }
        view.setPermissions(options.permissions());
    }

    /** Removes both files. */
    @Override
    public void close() {
        if (!HELD.remove(lock)) {
            return;
        }
        for (Path file : new Path[] {socket, lock}) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                LOG.warn("{} cannot be removed: {}", file, e.getMessage());
            }
        }
    }
}
