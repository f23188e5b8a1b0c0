package io.multimed.engine.postgresql.cluster;

import io.multimed.engine.postgresql.NodeAddress;
import io.multimed.engine.postgresql.TestEngines;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.engine.postgresql.catalog.AdminConnection;
import io.multimed.engine.process.CoreBinding;
import io.multimed.model.NodeId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** A Master without a relay, so that its sessions do not wait for one. */
public final class TestMaster implements AutoCloseable {
    private static final Map<EngineBinaries, Path> TEMPLATES = new HashMap<>();

    private final EngineBinaries binaries;
    private final MasterCluster cluster;

    private TestMaster(EngineBinaries binaries, MasterCluster cluster) {
        this.binaries = binaries;
        this.cluster = cluster;
    }

    public static TestMaster start(Path directory, EngineBinaries binaries) throws Exception {
        return start(directory, binaries, Map.of());
    }

    /** @param settings of PostgreSQL */
    public static TestMaster start(Path directory, EngineBinaries binaries, Map<String, String> settings)
            throws Exception {
        MasterCluster cluster = new MasterCluster(new MasterConfig(
                binaries,
                TestEngines.user(),
                directory.resolve("master"),
                directory.resolve("run"),
                directory.resolve("log/master.log"),
                CoreBinding.NONE,
                256L << 20,
                20,
                settings));
        initialise(cluster, binaries);
        cluster.start(Duration.ofSeconds(60), reason -> {});
        return new TestMaster(binaries, cluster);
    }

    /** Runs initdb once per release and copies its result for the other tests, since most of them do not test initdb. */
    static synchronized void initialise(MasterCluster cluster, EngineBinaries binaries) throws Exception {
        Path template = TEMPLATES.get(binaries);
        if (template == null) {
            cluster.initialise();
            Path directory = TestEngines.directory();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                try {
                    TestEngines.delete(directory);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }));
            TEMPLATES.put(binaries, directory.resolve("master"));
            copy(cluster.dataDirectory(), directory.resolve("master"));
        } else {
            copy(template, cluster.dataDirectory());
        }
    }

    /** Copies a directory, such as a data directory on which no server runs. */
    static void copy(Path from, Path to) throws Exception {
        int status = new ProcessBuilder("cp", "-a", from.toString(), to.toString())
                .inheritIO()
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException("cp " + from + " " + to + " failed");
        }
    }

    public EngineBinaries binaries() {
        return binaries;
    }

    public MasterCluster cluster() {
        return cluster;
    }

    public Connection connect() throws SQLException {
        return connect(cluster.address());
    }

    public void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    public String text(String query) throws SQLException {
        return textAt(cluster.address(), query);
    }

    public String textAt(NodeAddress node, String query) throws SQLException {
        try (Connection connection = connect(node);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }

    /** Waits until the standby has replayed the present end of the Master's log. */
    public void awaitReplay(NodeAddress standby) throws Exception {
        String end = text("SELECT pg_current_wal_lsn()");
        TestEngines.await(
                "replay up to " + end,
                () -> textAt(standby, "SELECT pg_last_wal_replay_lsn() >= '" + end + "'::pg_lsn")
                        .equals("t"));
    }

    /**
     * Returns a Satellite that this Master itself feeds; nothing of it exists yet.
     *
     * @param directory for its socket and its log
     * @param availableMemory as in {@link SatelliteConfig}
     */
    public SatelliteCluster satellite(Path directory, Path data, boolean inMemory, LongSupplier availableMemory)
            throws Exception {
        return new SatelliteCluster(satelliteConfig(directory, data, inMemory, availableMemory), cluster);
    }

    /** Returns the configuration of a Satellite, see {@link #satellite}. */
    SatelliteConfig satelliteConfig(Path directory, Path data, boolean inMemory, LongSupplier availableMemory)
            throws Exception {
        return new SatelliteConfig(
                NodeId.satellite(1),
                binaries,
                TestEngines.user(),
                data,
                inMemory,
                availableMemory,
                directory.resolve("run-satellite"),
                directory.resolve("log/satellite.log"),
                cluster.address(),
                CoreBinding.NONE,
                256L << 20,
                10,
                SatelliteConfig.LONG_READER,
                Map.of());
    }

    @Override
    public void close() {
        cluster.kill();
    }

    private static Connection connect(NodeAddress node) throws SQLException {
        Connection connection = AdminConnection.open(node, "postgres", "postgres");
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET synchronous_commit = local");
        }
        return connection;
    }
}
