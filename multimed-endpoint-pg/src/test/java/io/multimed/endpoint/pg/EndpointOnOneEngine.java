package io.multimed.endpoint.pg;

import io.multimed.core.counters.AdminTable;
import io.multimed.core.dispatch.Dispatcher;
import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.Nodes;
import io.multimed.core.propagation.FloorHistory;
import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.MasterLog;
import io.multimed.core.propagation.MasterVisibility;
import io.multimed.endpoint.pg.backend.EngineProcesses;
import io.multimed.endpoint.pg.backend.SharedCatalogs;
import io.multimed.endpoint.pg.config.EndpointOptions;
import io.multimed.endpoint.pg.services.EndpointServices;
import io.multimed.endpoint.pg.services.EngineSessions;
import io.multimed.endpoint.pg.services.Operations;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import io.multimed.sql.ClassifierOptions;
import io.multimed.sql.DatabaseCatalog;
import io.multimed.sql.StatementClassifier;
import io.multimed.testkit.postgres.PlainPostgres;
import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireSession;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The endpoint in front of one real PostgreSQL that is both Master and Satellite. So the Satellite is always fresh, and the work of
 * the endpoint itself (placing, moving, pooling, translating) is the same.
 *
 * <p>Registered in a field of a test: in a static field it serves all tests of the class, otherwise each test has its own.
 */
final class EndpointOnOneEngine implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    final ComputationalNode master = new ComputationalNode(NodeId.MASTER, Role.MASTER);
    final ComputationalNode satellite = new ComputationalNode(NodeId.satellite(1), Role.SATELLITE);
    /** A second Satellite for tests that want one; does not serve at first. */
    final ComputationalNode secondSatellite = new ComputationalNode(NodeId.satellite(2), Role.SATELLITE);

    final MasterVisibility visibility = new MasterVisibility();
    final MasterLog log = new MasterLog(visibility);
    final FreshnessGate gate = new FreshnessGate(() -> {});
    final StatementClassifier classifier = new StatementClassifier(ClassifierOptions.DEFAULT);
    private final UnaryOperator<EndpointOptions> options;
    private boolean forAll;
    private boolean second;

    @SuppressWarnings("NullAway.Init")
    PlainPostgres engine;

    @SuppressWarnings("NullAway.Init")
    PostgresEndpoint endpoint;
    /** Number of connections to the engine begun so far, for any purpose. */
    final AtomicInteger connectionsBegun = new AtomicInteger();
    /** The known catalog of every database. */
    volatile DatabaseCatalog catalog = DatabaseCatalog.EMPTY;
    /** Schema version; a test that changes a schema must increase it. */
    final AtomicLong schemaVersion = new AtomicLong();
    /** Whether the Master shows what that counts. */
    volatile boolean schemaVersionVisible = true;

    volatile SharedCatalogs sharedCatalogs = SharedCatalogs.UNCHANGED;

    /** Asks the Master for its visible commits, then runs the given action. */
    volatile Consumer<Runnable> probe = Runnable::run;

    /** Query that the loops themselves send to the Master for a snapshot. */
    volatile @Nullable String snapshotQuery;

    /** Receives the result of that query. */
    volatile Consumer<String> taken = snapshot -> {};

    /** Information about the engine's processes. */
    volatile EngineProcesses processes = EngineProcesses.UNKNOWN;

    /** The answer to SHOW NODES in the admin database. */
    volatile Supplier<AdminTable> nodeTable = () -> new AdminTable(List.of(), List.of());

    /** The databases of the Master, as commands of the admin database know them; empty if it could not be asked. */
    volatile Optional<Set<String>> databases = Optional.of(Set.of("postgres", "other"));

    /** The result of RELOAD. */
    volatile Operations.ReloadResult reloadResult = new Operations.ReloadResult(List.of(), List.of());

    /** Whether a command of the admin database has ended the instance. */
    final CountDownLatch ended = new CountDownLatch(1);

    private final Operations operations = new Operations() {
        @Override
        public CompletableFuture<Optional<Set<String>>> databases() {
            return CompletableFuture.supplyAsync(() -> databases);
        }

        @Override
        public String version() {
            return "1.2";
        }

        @Override
        public AdminTable configuration() {
            return new AdminTable(
                    List.of("key", "value", "default", "changeable"),
                    List.of(List.of("endpoint.max_clients", "5", "10000", "yes")));
        }

        @Override
        public CompletableFuture<ReloadResult> reload() {
            return CompletableFuture.supplyAsync(() -> reloadResult);
        }

        @Override
        public void end() {
            ended.countDown();
        }
    };

    /** Changes what the engine has said about its sessions. */
    volatile UnaryOperator<EngineSessions.Seen> seen = UnaryOperator.identity();

    EndpointOnOneEngine() {
        this(UnaryOperator.identity());
    }

    /** @param options changes the endpoint's default options */
    EndpointOnOneEngine(UnaryOperator<EndpointOptions> options) {
        this.options = options;
        log.connected(0);
        log.received(100);
        satellite.applied(100);
        satellite.serving(true);
        master.serving(true);
    }

    EndpointOnOneEngine withSecondSatellite() {
        second = true;
        return this;
    }

    @Override
    public void beforeAll(ExtensionContext ignored) throws Exception {
        forAll = true;
        start();
    }

    @Override
    public void beforeEach(ExtensionContext ignored) throws Exception {
        if (!forAll) {
            start();
        }
    }

    @Override
    public void afterEach(ExtensionContext ignored) throws Exception {
        if (!forAll) {
            stop();
        }
    }

    @Override
    public void afterAll(ExtensionContext ignored) throws Exception {
        stop();
    }

    private void start() throws IOException, InterruptedException {
        engine = PlainPostgres.start(
                binaries(),
                Map.of(
                        "max_connections",
                        "300",
                        "max_prepared_transactions",
                        "10",
                        "wal_level",
                        "logical",
                        "multimed.freshness",
                        "strong"),
                List.of());
        endpoint = startEndpoint(options);
    }

    private void stop() throws IOException {
        try {
            endpoint.close();
            classifier.close();
        } finally {
            engine.close();
        }
    }

    /** Restarts the endpoint with other options, in front of the same engine; clients are disconnected. */
    void restartEndpoint(UnaryOperator<EndpointOptions> otherOptions) throws IOException {
        endpoint.close();
        endpoint = startEndpoint(otherOptions);
    }

    private PostgresEndpoint startEndpoint(UnaryOperator<EndpointOptions> changed) throws IOException {
        Nodes nodes = new Nodes(master, second ? List.of(satellite, secondSatellite) : List.of(satellite));
        ServerAddress.Unix address = (ServerAddress.Unix) engine.unix();
        String socket =
                address.directory().resolve(".s.PGSQL." + address.port()).toString();
        EndpointServices services = new EndpointServices(
                nodes,
                log,
                visibility,
                gate,
                new FloorHistory(),
                Dispatcher::place,
                node -> {
                    connectionsBegun.incrementAndGet();
                    return socket;
                },
                processes,
                classifier,
                new EndpointServices.Schemas() {
                    @Override
                    public DatabaseCatalog catalog(String ignored) {
                        return catalog;
                    }

                    @Override
                    public long version(String ignored) {
                        return schemaVersion.get();
                    }

                    @Override
                    public long lastChange() {
                        return schemaVersion.get();
                    }

                    @Override
                    public boolean hasChangedSince(String ignored, long change) {
                        return schemaVersion.get() > change;
                    }

                    @Override
                    public boolean isVersionVisible(String ignored) {
                        return schemaVersionVisible;
                    }

                    @Override
                    public SharedCatalogs sharedCatalogs() {
                        return sharedCatalogs;
                    }
                },
                new EndpointServices.Snapshots() {
                    @Override
                    public void take(Runnable done) {
                        probe.accept(done);
                    }

                    @Override
                    public @Nullable String query() {
                        return snapshotQuery;
                    }

                    @Override
                    public void taken(String snapshot) {
                        taken.accept(snapshot);
                    }

                    @Override
                    public void endDoubts() {
                        // The Satellite has everything, since it is the Master.
                        log.endDoubts(log.doubts(), 0);
                    }
                },
                new EndpointServices.Roles() {
                    @Override
                    public void find(String name, Consumer<EndpointServices.@Nullable Role> found) {
                        found.accept(role(name));
                    }

                    @Override
                    public EngineSessions sessions() {
                        return (role, looked, found) ->
                                ForkJoinPool.commonPool().execute(() -> found.accept(seen.apply(seen(role, looked))));
                    }
                },
                () -> nodeTable.get(),
                operations);
        return PostgresEndpoint.start(
                changed.apply(EndpointOptions.defaults(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))),
                services,
                // The stack is small, because no depth of calls may grow with the number of clients.
                Thread.ofPlatform()
                        .daemon()
                        .stackSize(256 << 10)
                        .name("endpoint-", 0)
                        .factory());
    }

    private EngineSessions.Seen seen(String role, Collection<ComputationalNode> looked) {
        Set<String> visible = new HashSet<>();
        Set<String> signalable = new HashSet<>();
        Map<ComputationalNode, Map<Integer, String>> rows = new HashMap<>();
        try (WireSession session = openEngine()) {
            session.rows(EngineSessions.RIGHTS + "'" + role + "'").forEach(row -> {
                if ("t".equals(row.get(1))) {
                    visible.add(String.valueOf(row.get(0)));
                }
                if ("t".equals(row.get(2))) {
                    signalable.add(String.valueOf(row.get(0)));
                }
            });
            Map<Integer, String> all = new HashMap<>();
            session.rows(EngineSessions.SESSIONS)
                    .forEach(row -> all.put(Integer.valueOf(String.valueOf(row.get(0))), String.valueOf(row.get(1))));
            looked.forEach(node -> rows.put(node, all));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new EngineSessions.Seen(visible, signalable, rows);
    }

    private EndpointServices.@Nullable Role role(String name) {
        if (name.equals("postgres")) {
            // This role is known even while the engine is stopped.
            return EndpointServices.Role.alone(name, true, true, null, false);
        }
        try (WireSession session = openEngine()) {
            return session
                    .rows("SELECT rolcanlogin, rolsuper FROM pg_roles WHERE rolname = '" + name.replace("'", "''")
                            + "'")
                    .stream()
                    .map(row -> EndpointServices.Role.alone(
                            name, "t".equals(row.get(0)), "t".equals(row.get(1)), null, false))
                    .findFirst()
                    .orElse(null);
        } catch (IOException unreachable) {
            return null;
        }
    }

    private static Path binaries() {
        return Path.of(System.getProperty("multimed.test.engine-bin", "/usr/lib/postgresql/15/bin"));
    }

    ServerAddress address() {
        return ServerAddress.of("127.0.0.1", endpoint.address().getPort());
    }

    /** Opens a session through the endpoint. */
    WireSession open() throws IOException {
        return WireSession.open(address(), "postgres", "postgres", PATIENCE);
    }

    /** Opens a session with the engine itself. */
    WireSession openEngine() throws IOException {
        return WireSession.open(engine.unix(), "postgres", "postgres", PATIENCE);
    }

    /** Returns the number of clients that wait for the answer to another's identical read. */
    long following() {
        try (WireSession admin = WireSession.open(address(), "postgres", "multimed", PATIENCE)) {
            return admin.rows("SHOW CLIENTS").stream()
                    .filter(row -> row.contains("waiting: same read"))
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes the Satellite fail while a session uses it. */
    void loseTheSatellite() throws SQLException {
        EndpointTest.await(() -> satellite.active() > 0);
        satellite.serving(false);
        EndpointTest.await(() -> {
            endpoint.nodeGone(satellite);
            return satellite.active() == 0;
        });
    }

    static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Returns the first column of the first row. */
    static String ask(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    Connection connect(String... options) throws SQLException {
        return connectTo("postgres", options);
    }

    Connection connectTo(String database, String... options) throws SQLException {
        Properties properties = new Properties();
        properties.put("user", "postgres");
        for (String option : options) {
            String[] parts = option.split("=", 2);
            properties.put(parts[0], parts[1]);
        }
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + endpoint.address().getPort() + "/" + database, properties);
    }
}
