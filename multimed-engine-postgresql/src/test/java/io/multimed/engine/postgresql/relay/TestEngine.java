package io.multimed.engine.postgresql.relay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A real PostgreSQL in a temporary directory: on a private socket for the Relay, on a free TCP port for JDBC. */
final class TestEngine implements AutoCloseable {
    private static final boolean ROOT = System.getProperty("user.name").equals("root");
    private static final Set<String> NOT_COPIED =
            Set.of("postmaster.pid", "postmaster.opts", "postgresql.auto.conf", "standby.signal");
    private static final Set<String> COPIED_EMPTY = Set.of("pg_wal", "pg_replslot", "pg_stat_tmp", "pg_dynshmem");

    private static final Map<Path, TestEngine> TEMPLATES = new HashMap<>();

    private final Path bin;
    private final Path base;
    private final int port;
    private Process process;

    private TestEngine(Path bin, Path base) throws IOException {
        this.bin = bin;
        this.base = base;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            this.port = socket.getLocalPort();
        }
    }

    /** Returns a database cluster, not yet started; the same one for all that are made with these programs. */
    static TestEngine create(Path bin, String... settings) throws Exception {
        TestEngine engine = new TestEngine(bin, directory());
        exec(List.of("cp", "-a", template(bin).toString(), engine.data().toString()));
        engine.configure(settings);
        return engine;
    }

    /** Returns a data directory made by initdb, once for each version, since initdb takes longer than most tests. */
    private static synchronized Path template(Path bin) throws Exception {
        TestEngine template = TEMPLATES.get(bin);
        if (template == null) {
            template = createDifferent(bin);
            TEMPLATES.put(bin, template);
            Runtime.getRuntime().addShutdownHook(new Thread(template::delete));
        }
        return template.data();
    }

    /** Returns a database cluster of its own identity, not yet started. */
    static TestEngine createDifferent(Path bin) throws Exception {
        TestEngine engine = new TestEngine(bin, directory());
        engine.run(
                "initdb", "-D", engine.data().toString(), "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8");
        engine.configure(
                "fsync = off",
                // The memory is in the data directory, with which it is removed: a killed engine leaves it.
                "dynamic_shared_memory_type = mmap",
                "shared_buffers = 32MB",
                "max_prepared_transactions = 10",
                "wal_keep_size = 256MB",
                "synchronous_standby_names = 'multimed_relay'");
        return engine;
    }

    /** Returns a copy of this running engine, without its log, that gets its log from {@code primary}. */
    TestEngine copy(String primary, String... settings) throws Exception {
        TestEngine copy = new TestEngine(bin, directory());
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_backup_start('copy', true)");
            copyTree(data(), copy.data());
            try (ResultSet label = statement.executeQuery("SELECT labelfile FROM pg_backup_stop(false)")) {
                label.next();
                Files.writeString(copy.data().resolve("backup_label"), label.getString(1));
            }
        }
        Files.createFile(copy.data().resolve("standby.signal"));
        copy.configure(
                "primary_conninfo = '" + primary + "'",
                "synchronous_standby_names = ''",
                "wal_retrieve_retry_interval = 100ms");
        copy.configure(settings);
        Files.setPosixFilePermissions(copy.data(), PosixFilePermissions.fromString("rwx------"));
        if (ROOT) {
            exec(List.of("chown", "-R", "postgres:", copy.data().toString()));
        }
        return copy;
    }

    private static Path directory() throws Exception {
        Path base = Files.createTempDirectory("relay");
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwxr-xr-x"));
        if (ROOT) {
            exec(List.of("chown", "postgres:", base.toString()));
        }
        return base;
    }

    private static void copyTree(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
                    throws IOException {
                Files.createDirectories(to.resolve(from.relativize(directory).toString()));
                if (COPIED_EMPTY.contains(directory.getFileName().toString())) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (!NOT_COPIED.contains(file.getFileName().toString())) {
                    try {
                        Files.copy(file, to.resolve(from.relativize(file).toString()));
                    } catch (NoSuchFileException e) {
                        // The file was dropped while the copy ran, as a backup allows.
                        return FileVisitResult.CONTINUE;
                    }
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
                return FileVisitResult.CONTINUE;
            }
        });
    }

    void configure(String... settings) throws IOException {
        Path file = data().resolve("postgresql.conf");
        StringBuilder lines = new StringBuilder();
        for (String setting : settings) {
            lines.append(setting).append('\n');
        }
        Files.writeString(file, lines, StandardOpenOption.APPEND);
    }

    TestEngine start() throws Exception {
        startWithoutWaiting();
        try {
            awaitStart();
            return this;
        } catch (Exception | AssertionError e) {
            close();
            throw e;
        }
    }

    private void awaitStart() throws Exception {
        Patience.until(() -> "the engine accepts connections:\n" + log(), () -> {
            if (!process.isAlive()) {
                throw new IllegalStateException("engine ended: " + log());
            }
            try (Connection connection = connect()) {
                return connection.isValid(1);
            } catch (SQLException e) {
                return false;
            }
        });
    }

    void startWithoutWaiting() throws Exception {
        List<String> command = asEngineUser();
        command.addAll(List.of(
                bin.resolve("postgres").toString(),
                "-D",
                data().toString(),
                "-c",
                "port=" + port,
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "unix_socket_directories=" + base));
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(base.resolve("log").toFile()))
                .start();
    }

    String log() {
        try {
            return Files.readString(base.resolve("log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends a signal to the postmaster. */
    void signal(String name) throws Exception {
        signal(name, process.pid());
    }

    static void signal(String name, long pid) throws Exception {
        exec(List.of("kill", "-" + name, Long.toString(pid)));
    }

    /** Ends the engine with a signal to the postmaster and waits until it is gone. */
    void end(String name) throws Exception {
        List<ProcessHandle> children = process.descendants().toList();
        signal(name);
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("engine does not end: " + log());
        }
        // The children of a killed postmaster have to notice its death themselves; the next start waits for their
        // memory.
        for (ProcessHandle child : children) {
            if (name.equals("KILL")) {
                child.destroyForcibly();
            }
            child.onExit().get(60, TimeUnit.SECONDS);
        }
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + port + "/postgres?connectTimeout=5&socketTimeout=120", "postgres", "");
    }

    void execute(String... statements) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Returns the first column of the first row. */
    String query(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            return result.next() ? result.getString(1) : null;
        }
    }

    Path data() {
        return base.resolve("data");
    }

    Path socketDirectory() {
        return base;
    }

    int port() {
        return port;
    }

    private void run(String program, String... arguments) throws Exception {
        List<String> command = asEngineUser();
        command.add(bin.resolve(program).toString());
        command.addAll(List.of(arguments));
        exec(command);
    }

    private static List<String> asEngineUser() {
        return ROOT
                ? new ArrayList<>(List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"))
                : new ArrayList<>();
    }

    static void exec(List<String> command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(command + ": " + output);
        }
    }

    @Override
    public void close() {
        if (process != null && process.isAlive()) {
            List<ProcessHandle> children = process.descendants().toList();
            process.destroyForcibly();
            children.forEach(ProcessHandle::destroyForcibly);
            children.forEach(child -> child.onExit().join());
            process.onExit().join();
        }
        delete();
    }

    private void delete() {
        try (Stream<Path> files = Files.walk(base)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
