package io.multimed.tests.server;

import io.multimed.endpoint.pg.PostgresEndpoint;
import io.multimed.endpoint.pg.config.EndpointOptions;
import io.multimed.endpoint.pg.services.EndpointServices;
import io.multimed.model.Role;
import io.multimed.server.EndpointsForTests;
import io.multimed.server.Multimed;
import io.multimed.server.StartOptions;
import io.multimed.server.config.Overrides;
import io.multimed.server.config.Reloaded;
import io.multimed.server.lean.Lean;
import io.multimed.server.satellite.FeedSteps;
import io.multimed.server.satellite.SatelliteComparison;
import io.multimed.server.startup.Progress;
import io.multimed.server.startup.StartException;
import io.multimed.server.status.NodeStatus;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A whole Multimed in this process, on engines of its own, in a temporary directory.
 *
 * <p>Its Master writes the log that a logical slot needs, so that a test can learn the order of commits from PostgreSQL.
 */
public final class RunningMultimed implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

    private static final class Shared {
        static final RunningMultimed INSTANCE = start();

        private static RunningMultimed start() {
            try {
                RunningMultimed started = RunningMultimed.start(2);
                Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                    try {
                        started.close();
                    } catch (IOException e) {
                        System.err.println("cannot remove the shared Multimed: " + e);
                    }
                }));
                return started;
            } catch (Exception e) {
                throw new IllegalStateException("no Multimed to test", e);
            }
        }
    }

    private final Path directory;
    private volatile Multimed multimed;

    private RunningMultimed(Path directory, Multimed multimed) {
        this.directory = directory;
        this.multimed = multimed;
    }

    /** Returns the instance with two Satellites that is shared by all tests without effects on others; started on first use. */
    public static RunningMultimed shared() {
        return Shared.INSTANCE;
    }

    /** Starts an instance and waits until all its Satellites serve. */
    public static RunningMultimed start(int satellites) throws Exception {
        return start(satellites, "");
    }

    /**
     * Starts an instance with further configuration, and waits until all its full Satellites serve.
     *
     * @param more TOML
     */
    public static RunningMultimed start(int satellites, String more) throws Exception {
        Path directory = Files.createTempDirectory("multimed-test-");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        return start(satellites, directory, more);
    }

    /**
     * Starts an instance with further keys for the endpoint.
     *
     * @param keys TOML within the table
     */
    public static RunningMultimed startWithEndpoint(int satellites, String keys) throws Exception {
        return start(satellites, text -> text.replace("[endpoint]\n", "[endpoint]\n" + keys));
    }

    /** Starts an instance whose configuration is changed before. */
    public static RunningMultimed start(int satellites, UnaryOperator<String> change) throws Exception {
        Path directory = Files.createTempDirectory("multimed-test-");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        return started(satellites, directory, change.apply(configuration("127.0.0.1:0", satellites)));
    }

    /** Starts an instance with further configuration whose partial Satellites show commits by other steps. */
    public static RunningMultimed startWithSteps(int satellites, String more, FeedSteps steps) throws Exception {
        Path directory = Files.createTempDirectory("multimed-test-");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        return started(satellites, directory, configuration("127.0.0.1:0", satellites) + more, steps);
    }

    /** Starts an instance in this directory, whose content is removed at the end. */
    public static RunningMultimed start(int satellites, Path directory) throws Exception {
        return start(satellites, directory, "");
    }

    /** Starts an instance in this directory with further configuration. */
    static RunningMultimed start(int satellites, Path directory, String more) throws Exception {
        return started(satellites, directory, configuration("127.0.0.1:0", satellites) + more);
    }

    private static RunningMultimed started(int satellites, Path directory, String text) throws Exception {
        return started(satellites, directory, text, new FeedSteps());
    }

    private static RunningMultimed started(int satellites, Path directory, String text, FeedSteps steps)
            throws Exception {
        Path configuration = Files.writeString(directory.resolve("test.toml"), text);
        try {
            Multimed multimed = start(directory, configuration, steps);
            RunningMultimed running = new RunningMultimed(directory, multimed);
            await(() -> multimed.satellitesServing() == satellites, "all Satellites serving");
            return running;
        } catch (Exception e) {
            remove(directory);
            throw e;
        }
    }

    private static Multimed start(Path directory, Path configuration, FeedSteps steps) throws Exception {
        return EndpointsForTests.start(
                new StartOptions(
                        directory.resolve("home"),
                        Optional.of(configuration),
                        Overrides.NONE,
                        Progress.SILENT,
                        (log, format) -> {}),
                steps);
    }

    /** Ends it, and starts it again with the same configuration; does not wait for its Satellites. */
    public void restart() throws Exception {
        multimed.close();
        multimed = start(directory, directory.resolve("test.toml"), new FeedSteps());
    }

    /** Changes the configuration's text, and lets the instance read it again. */
    public Reloaded reload(String changed) throws Exception {
        Files.writeString(directory.resolve("test.toml"), changed);
        return multimed.reload();
    }

    /** Returns the present text of the configuration. */
    public String configuration() throws IOException {
        return Files.readString(directory.resolve("test.toml"));
    }

    /** Returns what moves indexes between the Master and partial Satellites. */
    public Lean lean() {
        return multimed.lean();
    }

    static String configuration(String listen, int satellites) {
        String bin = System.getProperty("multimed.test.engine-bin", "");
        return """
            [endpoint]
            listen = "%s"
            [metrics]
            listen = "off"
            [shutdown]
            drain = "100ms"
            [nodes.master.settings]
            max_prepared_transactions = 10
            timezone = "Etc/UTC"
            wal_level = "logical"
            work_mem = "4MB"
            [nodes.satellite.settings]
            work_mem = "4MB"
            """.formatted(listen)
                + (bin.isEmpty() ? "" : "[engine]\nbin = \"" + bin + "\"\n")
                // Last, so that a test may go on with keys of this table.
                + "[satellites]\ncount = " + satellites + "\n";
    }

    /** Returns the address for clients. */
    public ServerAddress address() {
        URI uri = URI.create(multimed.uri());
        return ServerAddress.of(uri.getHost(), uri.getPort());
    }

    /** Returns the address of the Master itself, past Multimed. */
    public ServerAddress master() {
        return address(node(Role.MASTER, 0));
    }

    /** Returns the address of a Satellite itself, past Multimed. */
    public ServerAddress satellite(int index) {
        return address(node(Role.SATELLITE, index));
    }

    private static ServerAddress address(NodeStatus node) {
        return ServerAddress.of(node.host(), node.port());
    }

    public long masterPid() {
        return node(Role.MASTER, 0).pid();
    }

    public long satellitePid(int index) {
        return node(Role.SATELLITE, index).pid();
    }

    public List<NodeStatus> nodes() {
        return multimed.status().nodes();
    }

    /** Returns the status of the node with this name. */
    public NodeStatus node(String name) {
        return nodes().stream()
                .filter(node -> node.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the address of the node with this name itself, past Multimed. */
    public ServerAddress address(String name) {
        return address(node(name));
    }

    private NodeStatus node(Role role, int index) {
        return nodes().stream().filter(node -> node.role() == role).toList().get(index);
    }

    /** Returns how many of the Satellites' rows have been compared, and how often one differed. */
    public SatelliteComparison.Counts compared() {
        return multimed.compared();
    }

    public int satellitesServing() {
        return multimed.satellitesServing();
    }

    /** Returns a second endpoint over the same nodes, with other options or other services. */
    public PostgresEndpoint endpoint(UnaryOperator<EndpointOptions> options, UnaryOperator<EndpointServices> services)
            throws StartException {
        return EndpointsForTests.open(multimed, options, services);
    }

    public static ServerAddress address(PostgresEndpoint endpoint) {
        return ServerAddress.of("127.0.0.1", endpoint.address().getPort());
    }

    /** Waits until every Satellite has replayed the present end of the Master's log. */
    public void awaitSatellites(String database) throws IOException {
        try (WireSession session = WireSession.open(master(), "postgres", database, PATIENCE)) {
            String position = session.value("SELECT pg_current_wal_lsn()");
            long count = nodes().stream()
                    .filter(node -> node.role() == Role.SATELLITE)
                    .count();
            for (int i = 0; i < count; i++) {
                int satellite = i;
                await(() -> replayed(satellite, database, position), "Satellite " + i + " at " + position);
            }
        }
    }

    private boolean replayed(int satellite, String database, String position) {
        try (WireSession session = WireSession.open(satellite(satellite), "postgres", database, PATIENCE)) {
            return session.value("SELECT pg_last_wal_replay_lsn() >= '" + position + "'")
                    .equals("t");
        } catch (IOException notYet) {
            return false;
        }
    }

    /**
     * Waits until a node serves by another engine process than this one.
     *
     * <p>Of an engine that has just ended, the process ID is 0, and the state is that of before for a moment.
     */
    public void awaitOtherEngine(String name, long before) {
        await(
                () -> {
                    NodeStatus node = node(name);
                    return node.pid() != 0
                            && node.pid() != before
                            && node.state().equals("serving");
                },
                "another engine serving as " + name);
    }

    /** Waits for a condition; fails after two minutes. */
    public static void await(BooleanSupplier condition, String what) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("not within " + PATIENCE + ": " + what);
            }
            LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
        }
    }

    @Override
    public void close() throws IOException {
        multimed.close();
        remove(directory);
    }

    private static boolean isMounted(Path directory) throws IOException {
        return !Files.getFileStore(directory)
                .equals(Files.getFileStore(directory.toAbsolutePath().resolveSibling(".")));
    }

    static void remove(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                if (!file.equals(directory) || !isMounted(file)) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }
}
