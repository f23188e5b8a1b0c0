package io.multimed.server.home;

import io.multimed.engine.postgresql.FileProblem;
import io.multimed.model.NodeId;
import io.multimed.server.startup.StartException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * Where an instance keeps things.
 *
 * <p>{@code --dir} is normally a directory of Multimed's own, with the Master's data below it. It may also be the data
 * directory of an existing PostgreSQL; Multimed's own files then lie beside it, in {@code DIR.multimed}, so that neither
 * PostgreSQL nor a copy of its data ever meets them.
 *
 * @param directory Multimed's own files
 * @param data the Master's data directory
 * @param adopted whether the data is that of an existing PostgreSQL
 */
public record Home(Path directory, Path data, boolean adopted) {
    /** The length of sun_path on Linux, less the final NUL. */
    private static final int LONGEST_SOCKET_PATH = 107;

    /** The longest name of a socket below the run directory. */
    private static final String LONGEST_SOCKET = "/satellite-64/.s.PGSQL.5432";

    /** The home in the directory that the user named. */
    public static Home of(Path named) {
        Path absolute = real(named.toAbsolutePath());
        if (Files.exists(absolute.resolve("PG_VERSION")) && absolute.getFileName() != null) {
            return new Home(absolute.resolveSibling(absolute.getFileName() + ".multimed"), absolute, true);
        }
        return new Home(absolute, absolute.resolve("data"), false);
    }

    /**
     * The path without links, as far as it exists: what an instance keeps elsewhere, and its engines, are found by the path, under
     * whatever name it is started and asked.
     */
    private static Path real(Path absolute) {
        for (Path existing = absolute; existing != null; existing = existing.getParent()) {
            try {
                return existing.toRealPath()
                        .resolve(existing.relativize(absolute))
                        .normalize();
            } catch (IOException e) {
                // Not there, or closed to this user: so much of the path is taken as it is.
                continue;
            }
        }
        return absolute.normalize();
    }

    /** {@code /var/lib/multimed} for root, whose engines run as another user; else below the user's home. */
    public static Path defaultDirectory(Map<String, String> environment) {
        if ("root".equals(System.getProperty("user.name"))) {
            return Path.of("/var/lib/multimed");
        }
        String data = environment.getOrDefault("XDG_DATA_HOME", "");
        // What a shell takes for the home directory; the JVM looks into the table of users.
        String home = environment.getOrDefault("HOME", "");
        return data.startsWith("/")
                ? Path.of(data, "multimed")
                : Path.of(
                        home.startsWith("/") ? home : System.getProperty("user.home", "/"),
                        ".local",
                        "share",
                        "multimed");
    }

    /**
     * Refuses a directory that cannot be used, before anything is created.
     *
     * @throws StartException one sentence that says why
     */
    public void check() throws StartException {
        Path existing = directory;
        while (existing != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        String user = System.getProperty("user.name");
        if (existing == null) {
            throw new StartException("there is no way to " + directory);
        }
        if (!Files.isDirectory(existing)) {
            throw new StartException(existing + " is a file, not a directory; choose another --dir");
        }
        if (isReadOnly(existing)) {
            throw new StartException(existing + " is on a file system that is read-only; choose another --dir");
        }
        if (!Files.isWritable(existing) || !Files.isExecutable(existing)) {
            throw new StartException("the user " + user + " may not write to " + existing + "; choose another --dir");
        }
        if (existing.equals(directory) && !adopted && !looksLikeOurs()) {
            throw new StartException(directory + " is not empty and holds neither an instance of Multimed nor a"
                    + " PostgreSQL data directory; choose another --dir");
        }
    }

    private static boolean isReadOnly(Path path) {
        try {
            return Files.getFileStore(path).isReadOnly();
        } catch (IOException e) {
            return false;
        }
    }

    private boolean looksLikeOurs() throws StartException {
        if (Files.exists(lockFile()) || Files.exists(data.resolve("PG_VERSION"))) {
            return true;
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.allMatch(entry -> entry.equals(configuration()));
        } catch (IOException e) {
            throw new StartException(directory + " cannot be read: " + FileProblem.of(e), e);
        }
    }

    public Path lockFile() {
        return directory.resolve("multimed.lock");
    }

    /** Read if it is there and no other was named. */
    public Path configuration() {
        return directory.resolve("multimed.toml");
    }

    /** The System Model of the last start. */
    public Path systemModel() {
        return directory.resolve("system-model.toml");
    }

    public Path logs() {
        return directory.resolve("log");
    }

    /** Log of the middleware. */
    public Path log() {
        return logs().resolve("multimed.log");
    }

    /** Log of one engine. */
    public Path log(NodeId node) {
        return logs().resolve(node + ".log");
    }

    /** Data of a Satellite on disk. */
    public Path diskData(NodeId node) {
        return directory.resolve("satellites").resolve(node.name());
    }

    /** Data of a Satellite in memory, under a name that no other instance has. */
    public Path memoryData(Path memoryDirectory, NodeId node) {
        return memoryRoot(memoryDirectory).resolve(node.name());
    }

    /** Directory of all data that this instance keeps in memory. */
    public Path memoryRoot(Path memoryDirectory) {
        return memoryDirectory.resolve("multimed-" + fingerprint());
    }

    /**
     * Parent of the sockets' directories: below the home, or below /tmp where a socket's path would be too long, or libpq
     * would take it for two.
     */
    public Path run() {
        Path run = directory.resolve("run");
        boolean fits = (run + LONGEST_SOCKET).getBytes(StandardCharsets.UTF_8).length <= LONGEST_SOCKET_PATH;
        return fits && run.toString().indexOf(',') < 0 ? run : Path.of("/tmp", "multimed-" + fingerprint());
    }

    /** Preferred directory of a node's socket. */
    public Path run(NodeId node) {
        return run().resolve(node.name());
    }

    /** Directory of the relay's socket. */
    public Path relay() {
        return run().resolve("relay");
    }

    /** The socket through which status is asked for and the instance told to end. */
    public Path controlSocket() {
        return run().resolve("control");
    }

    private String fingerprint() {
        CRC32 crc = new CRC32();
        crc.update(directory.toString().getBytes(StandardCharsets.UTF_8));
        return String.format("%08x", crc.getValue());
    }
}
