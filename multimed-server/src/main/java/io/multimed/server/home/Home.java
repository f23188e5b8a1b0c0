package io.multimed.server.home;

import io.multimed.engine.files.FileProblem;
import io.multimed.model.NodeId;
import io.multimed.server.startup.StartException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * The directories and files of an instance.
 *
 * <p>{@code --dir} is normally a directory of Multimed's own, with the Master's data below it. It may also be the data directory of
 * an existing PostgreSQL; Multimed's own files are then beside it, in {@code DIR.multimed}, so that neither PostgreSQL nor a copy
 * of its data includes them.
 *
 * @param directory Multimed's own files
 * @param data the Master's data directory
 * @param adopted whether the data is that of an existing PostgreSQL
 */
public record Home(Path directory, Path data, boolean adopted) {
    /** The length of sun_path on Linux, minus the final NUL. */
    private static final int LONGEST_SOCKET_PATH = 107;

    /** The longest name of a socket below the run directory. */
    private static final String LONGEST_SOCKET = "/satellite-64/.s.PGSQL.5432";

    /** Returns the home in the directory that the user named. */
    public static Home of(Path named) {
        Path absolute = real(named.toAbsolutePath());
        if (Files.exists(absolute.resolve("PG_VERSION")) && absolute.getFileName() != null) {
            return new Home(absolute.resolveSibling(absolute.getFileName() + ".multimed"), absolute, true);
        }
        return new Home(absolute, absolute.resolve("data"), false);
    }

    /**
     * Resolves the links of a path, as far as it exists. An instance's other directories and its engines are found by this path, so
     * it must be the same whichever name the user gives.
     */
    private static Path real(Path absolute) {
        for (Path existing = absolute; existing != null; existing = existing.getParent()) {
            try {
                return existing.toRealPath()
                        .resolve(existing.relativize(absolute))
                        .normalize();
            } catch (IOException e) {
                // This part does not exist or is not accessible to this user, so it is used as it is.
            }
        }
        return absolute.normalize();
    }

    /** The directory of root's instance, and of the service. */
    private static final Path OF_SYSTEM = Path.of("/var/lib/multimed");

    /**
     * Returns {@code /var/lib/multimed} for root, whose engines run as another user; otherwise a directory below the user's home.
     */
    public static Path defaultDirectory(Map<String, String> environment) {
        if ("root".equals(System.getProperty("user.name"))) {
            return OF_SYSTEM;
        }
        String data = environment.getOrDefault("XDG_DATA_HOME", "");
        // Shells use HOME as the home directory, while the JVM reads the user database.
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
     * Returns the default directory of commands about a running instance: that of the user's own, or of the machine's service if the
     * user never had one.
     */
    public static Path defaultOfRunning(Map<String, String> environment) {
        return defaultOfRunning(defaultDirectory(environment), OF_SYSTEM);
    }

    static Path defaultOfRunning(Path own, Path system) {
        return Files.isDirectory(own) || !Files.isDirectory(system) ? own : system;
    }

    /** Whether it is that of root's instance or of the service. */
    public boolean isOfSystem() {
        return directory.equals(OF_SYSTEM);
    }

    /**
     * Refuses a directory that cannot be used, before anything is created.
     *
     * @throws StartException with the reason in one sentence
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
        // Root may write anywhere. But files of two users would lie there, and neither could use it any more.
        boolean ofService = user.equals("root") && isOfSystem() && existing.equals(directory);
        Path whose = ofService ? directory : lockFile();
        if (Files.exists(whose) && !owner(whose).equals(user)) {
            throw new StartException(
                    directory + " holds an instance of the user " + owner(whose) + ", and this is the user " + user
                            + "; run it as that user (as a service: systemctl start multimed), or choose another --dir");
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

    private static String owner(Path path) throws StartException {
        try {
            return Files.getOwner(path, LinkOption.NOFOLLOW_LINKS).getName();
        } catch (IOException e) {
            throw new StartException(path + " cannot be read: " + FileProblem.of(e), e);
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

    /** Returns the configuration file, which is read if it exists and no other was named. */
    public Path configuration() {
        return directory.resolve("multimed.toml");
    }

    /** Returns the file with the System Model of the last start. */
    public Path systemModel() {
        return directory.resolve("system-model.toml");
    }

    /** Returns the file with the indexes that partial Satellites have instead of the Master. */
    public Path movedIndexes() {
        return directory.resolve("moved-indexes.json");
    }

    /** Returns the file with the processor times of long reads on different nodes. */
    public Path readTimes() {
        return directory.resolve("read-times");
    }

    public Path logs() {
        return directory.resolve("log");
    }

    /** Returns the log of the middleware. */
    public Path log() {
        return logs().resolve("multimed.log");
    }

    /** Returns the log of one engine. */
    public Path log(NodeId node) {
        return logs().resolve(node + ".log");
    }

    /** Returns the data directory of a Satellite on disk. */
    public Path diskData(NodeId node) {
        return directory.resolve("satellites").resolve(node.name());
    }

    /** Returns the data directory of a Satellite in memory; its name differs between instances. */
    public Path memoryData(Path memoryDirectory, NodeId node) {
        return memoryRoot(memoryDirectory).resolve(node.name());
    }

    /** Returns the directory of all data that this instance keeps in memory. */
    public Path memoryRoot(Path memoryDirectory) {
        return memoryDirectory.resolve("multimed-" + fingerprint());
    }

    /**
     * Returns the parent of the sockets' directories: below the home, or below /tmp if a socket's path would be too long, or has a
     * comma, at which libpq would split it.
     */
    public Path run() {
        Path run = directory.resolve("run");
        boolean fits = (run + LONGEST_SOCKET).getBytes(StandardCharsets.UTF_8).length <= LONGEST_SOCKET_PATH;
        return fits && run.toString().indexOf(',') < 0 ? run : Path.of("/tmp", "multimed-" + fingerprint());
    }

    /** Returns the preferred directory of a node's socket. */
    public Path run(NodeId node) {
        return run().resolve(node.name());
    }

    /** Returns the directory of the relay's socket. */
    public Path relay() {
        return run().resolve("relay");
    }

    /** Returns the socket for requests for the status and for the end of the instance. */
    public Path controlSocket() {
        return run().resolve("control");
    }

    private String fingerprint() {
        CRC32 crc = new CRC32();
        crc.update(directory.toString().getBytes(StandardCharsets.UTF_8));
        return String.format("%08x", crc.getValue());
    }
}
