package io.multimed.testkit.postgres;

import io.multimed.testkit.wire.FrontendBytes;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireClient;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * One unmodified PostgreSQL in a temporary directory, on a free port of 127.0.0.1 and a private Unix-domain socket.
 *
 * <p>PostgreSQL refuses to run as root: then it runs as {@code postgres}, or as {@code nobody} where there is no such
 * user. It dies with {@link #close()}, which also removes its directory.
 */
public final class PlainPostgres implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int MAX_ATTEMPTS = 1000;
    /** Most seconds until the postmaster has ended its children; it kills those that do not react itself. */
    private static final int MAX_END_SECONDS = 20;

    private static final Map<Path, Path> TEMPLATES = new HashMap<>();

    private final Path home;
    private final Process postmaster;
    private final int port;

    private PlainPostgres(Path home, Process postmaster, int port) {
        this.home = home;
        this.postmaster = postmaster;
        this.port = port;
    }

    /**
     * Initialises and starts a server.
     *
     * @param binaries the directory of {@code initdb} and {@code postgres}
     * @param settings over the ones for tests (no fsync, loopback only)
     * @param hba lines put before {@code trust} for all
     */
    public static PlainPostgres start(Path binaries, Map<String, String> settings, List<String> hba)
            throws IOException, InterruptedException {
        Path home = Files.createTempDirectory("multimed-plain-");
        try {
            Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxrwxrwx"));
            Path data = home.resolve("data");
            Path log = home.resolve("log");
            execute(log, "cp", "-a", template(binaries).toString(), data.toString());
            int port = freePort();
            Files.writeString(data.resolve("postgresql.auto.conf"), configuration(home, port, settings));
            Files.writeString(
                    data.resolve("pg_hba.conf"),
                    String.join("\n", hba) + "\nlocal all all trust\nhost all all 127.0.0.1/32 trust\n"
                            + "local replication all trust\nhost replication all 127.0.0.1/32 trust\n");
            Process postmaster = command(log, binaries.resolve("postgres").toString(), "-D", data.toString());
            PlainPostgres started = new PlainPostgres(home, postmaster, port);
            started.awaitReady(log);
            return started;
        } catch (IOException | InterruptedException | RuntimeException e) {
            remove(home);
            throw e;
        }
    }

    /** Returns a data directory to copy, made once: a copy takes a fifth of the time of initdb. */
    private static synchronized Path template(Path binaries) throws IOException, InterruptedException {
        Path known = TEMPLATES.get(binaries);
        if (known != null) {
            return known;
        }
        Path home = Files.createTempDirectory("multimed-plain-template-");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                remove(home);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }));
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path data = home.resolve("data");
        execute(
                home.resolve("log"),
                binaries.resolve("initdb").toString(),
                "--pgdata=" + data,
                "--username=postgres",
                "--auth=trust",
                "--encoding=UTF8",
                "--locale=C",
                "--no-sync",
                "--no-instructions");
        TEMPLATES.put(binaries, data);
        return data;
    }

    private static void execute(Path log, String... command) throws IOException, InterruptedException {
        if (command(log, command).waitFor() != 0) {
            throw new IOException(command[0] + " failed: " + Files.readString(log));
        }
    }

    private static String configuration(Path home, int port, Map<String, String> settings) {
        StringBuilder lines = new StringBuilder();
        lines.append("listen_addresses = '127.0.0.1'\nport = ").append(port).append('\n');
        lines.append("unix_socket_directories = '").append(home).append("'\n");
        lines.append("fsync = off\nshared_buffers = 32MB\nmax_connections = 100\nlog_min_messages = fatal\n");
        // Shared memory is in the data directory, with which it is removed.
        lines.append("dynamic_shared_memory_type = mmap\n");
        lines.append("timezone = 'Etc/UTC'\n");
        settings.forEach((name, value) -> lines.append(name)
                .append(" = '")
                .append(value.replace("'", "''"))
                .append("'\n"));
        return lines.toString();
    }

    private void awaitReady(Path log) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try (WireSession session = WireSession.open(unix(), "postgres", "postgres", PATIENCE)) {
                session.rows("SELECT 1");
                return;
            } catch (IOException notYet) {
                if (System.nanoTime() > deadline || !postmaster.isAlive()) {
                    close();
                    throw new IOException("PostgreSQL does not start: " + Files.readString(log), notYet);
                }
                postmaster.waitFor(20, TimeUnit.MILLISECONDS);
            }
        }
    }

    /** Makes the server use TLS with these PEM files, copied to it: a private key must be the server's own. */
    public void speakTls(Path certificate, Path key) throws IOException, InterruptedException {
        Files.copy(certificate, data().resolve("server.crt"));
        Path own = Files.copy(key, data().resolve("server.key"));
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rw-------"));
        Files.setPosixFilePermissions(data().resolve("server.crt"), PosixFilePermissions.fromString("rw-r--r--"));
        Files.setOwner(own, Files.getOwner(data()));
        try (WireSession owner = WireSession.open(unix(), "postgres", "postgres", PATIENCE)) {
            owner.rows("ALTER SYSTEM SET ssl = on");
            owner.rows("SELECT pg_reload_conf()");
        }
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!speaksTls()) {
            if (System.nanoTime() > deadline) {
                throw new IOException("PostgreSQL does not speak TLS: " + Files.readString(home.resolve("log")));
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private boolean speaksTls() throws IOException {
        try (WireClient client = WireClient.connect(tcp(), PATIENCE)) {
            client.send(FrontendBytes.request(FrontendBytes.SSL_REQUEST));
            return client.readByte() == 'S';
        }
    }

    public ServerAddress tcp() {
        return ServerAddress.of("127.0.0.1", port);
    }

    public ServerAddress unix() {
        return ServerAddress.of(home.toString(), port);
    }

    /** Returns the process ID of the postmaster. */
    public long pid() {
        return postmaster.pid();
    }

    public Path data() {
        return home.resolve("data");
    }

    /** Stops at once, without a checkpoint, and removes all its remains, unlike a kill. */
    @Override
    public void close() throws IOException {
        List<ProcessHandle> children = postmaster.descendants().toList();
        try {
            execute(home.resolve("log"), "kill", "-QUIT", Long.toString(pid()));
            if (!postmaster.waitFor(MAX_END_SECONDS, TimeUnit.SECONDS)) {
                postmaster.destroyForcibly();
            }
        } catch (IOException gone) {
            postmaster.destroyForcibly();
        } catch (InterruptedException e) {
            postmaster.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        postmaster.onExit().join();
        children.forEach(child -> child.onExit().join());
        remove(home);
    }

    private static Process command(Path log, String... command) throws IOException {
        List<String> whole = new ArrayList<>();
        if ("root".equals(System.getProperty("user.name"))) {
            String user = hasUser("postgres") ? "postgres" : "nobody";
            // setpriv is replaced by the command, so that the process is the postmaster.
            whole.addAll(List.of("setpriv", "--reuid=" + user, "--regid=" + group(user), "--clear-groups"));
        }
        whole.addAll(List.of(command));
        ProcessBuilder builder = new ProcessBuilder(whole);
        // The locale is C, so that messages are those that the scripts recorded.
        builder.environment().put("LC_ALL", "C");
        builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
        return builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .directory(new java.io.File("/"))
                .start();
    }

    private static boolean hasUser(String name) throws IOException {
        return passwd(name).findAny().isPresent();
    }

    private static String group(String user) throws IOException {
        return passwd(user).map(line -> line.split(":", -1)[3]).findAny().orElseThrow();
    }

    private static Stream<String> passwd(String user) throws IOException {
        return Files.readAllLines(Path.of("/etc/passwd")).stream().filter(line -> line.startsWith(user + ":"));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /**
     * Removes the directory, repeatedly if need be: grandchildren of the postmaster may end a moment later, and remove their
     * own files.
     */
    private static void remove(Path home) throws IOException {
        for (int attempt = 1; Files.exists(home); attempt++) {
            try (Stream<Path> files = Files.walk(home)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            } catch (NoSuchFileException | DirectoryNotEmptyException | UncheckedIOException e) {
                if (attempt == MAX_ATTEMPTS) {
                    throw new IOException("cannot remove " + home, e);
                }
            }
        }
    }
}
