package io.multimed.bench.system;

import io.multimed.bench.BenchException;
import io.multimed.bench.measure.Used;
import io.multimed.bench.system.InstalledProgram.Version;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Pgpool-II in front of as many PostgreSQLs as Multimed has nodes: whichever way, a read sees what was committed before it.
 *
 * <p>Each client has a process of Pgpool-II and a connection to each engine to itself (Pgpool-II manual, "Connection Pooling").
 * Only the first engine is on disk when it acknowledges, as Multimed's Master; the others write with fsync off.
 */
final class Pgpool implements SystemUnderTest {
    /** How the engines come to hold the same. */
    enum Replication {
        /** The others follow the first one's log; a commit waits until they show it (synchronous_commit, remote_apply). */
        STREAMING("pgpool", "streaming_replication", "and %d following it with remote_apply"),
        /** Pgpool-II sends whatever writes to all of them, and has them take their snapshots at the same point. */
        SNAPSHOT("pgpool-si", "snapshot_isolation", "and %d more that execute every write as well");

        private final String system;
        private final String mode;
        private final String others;

        Replication(String system, String mode, String others) {
            this.system = system;
            this.mode = mode;
            this.others = others;
        }
    }

    private static final String PROGRAM = "pgpool";
    /** The first release with snapshot isolation. */
    private static final Version OLDEST = new Version(4, 2);

    private static final String FIRST = "master";
    /** For the harness itself. */
    private static final int SPARE_CLIENTS = 20;

    private static final long PATIENCE_NANOS = 60_000_000_000L;

    private final Equipment equipment;
    private final Replication replication;
    private final int others;
    private final InstalledProgram program = InstalledProgram.find(PROGRAM);

    /** @param others engines beside the first one */
    Pgpool(Equipment equipment, Replication replication, int others) {
        this.equipment = equipment;
        this.replication = replication;
        this.others = others;
    }

    @Override
    public String name() {
        return replication.system;
    }

    @Override
    public String description() {
        return "Pgpool-II " + program.version().map(Version::toString).orElse("?") + ", "
                + replication.mode.replace('_', ' ') + ", in front of one PostgreSQL "
                + equipment.binaries().version() + " " + replication.others.formatted(others)
                + " (fsync off), default planner settings";
    }

    @Override
    public Optional<String> missing() {
        return program.missing(OLDEST);
    }

    @Override
    public RunningSystem start(Path data, Path files) throws BenchException, InterruptedException {
        Engines engines = engines(data, files);
        return Proxied.start(PROGRAM, engines, "", port -> start(engines.servers(), files, port));
    }

    private Engines engines(Path data, Path files) throws BenchException, InterruptedException {
        // Nothing can follow a cluster that was only ever written with the settings for loading.
        try (PostgresServer first = start(FIRST, data, files, first())) {
            first.stop();
        }
        List<Path> copies = new ArrayList<>();
        for (int number = 1; number <= others; number++) {
            // The name of its socket has to be short.
            Path place = equipment.workspace().below(files, "copy-" + number);
            equipment.workspace().copy(data, place.resolve("data"));
            copies.add(place);
        }
        List<PostgresServer> servers = new ArrayList<>();
        Engines engines = new Engines(servers);
        try {
            PostgresServer first = start(FIRST, data, files, first());
            servers.add(first);
            for (Path place : copies) {
                String name = String.valueOf(place.getFileName());
                servers.add(start(name, place.resolve("data"), place, other(name, place.resolve("data"), first)));
            }
            switch (replication) {
                case STREAMING -> awaitStreaming(first);
                case SNAPSHOT -> requireSnapshots(servers);
            }
            return engines;
        } catch (BenchException | InterruptedException | RuntimeException e) {
            engines.close();
            throw e;
        }
    }

    private PostgresServer start(String name, Path data, Path files, Map<String, String> settings)
            throws BenchException, InterruptedException {
        Map<String, String> all = Standalone.durable(
                equipment.memoryBytes() / (1 + others), equipment.clients() + Standalone.SPARE_CONNECTIONS);
        all.putAll(settings);
        return PostgresServer.start(
                name, equipment.binaries(), equipment.workspace().user(), equipment.cores(), data, files, all);
    }

    private Map<String, String> first() {
        return replication == Replication.STREAMING && others > 0
                ? Map.of("synchronous_commit", "remote_apply", "synchronous_standby_names", others + " (*)")
                : Map.of();
    }

    private Map<String, String> other(String name, Path data, PostgresServer first) throws BenchException {
        Map<String, String> settings = new TreeMap<>(Map.of("fsync", "off", "full_page_writes", "off"));
        if (replication == Replication.STREAMING) {
            Path signal = data.resolve("standby.signal");
            try {
                Files.createFile(signal);
                equipment.workspace().user().own(signal);
            } catch (IOException e) {
                throw new BenchException("cannot write " + signal + ": " + e, e);
            }
            settings.put(
                    "primary_conninfo",
                    "host=" + first.node().address().directory() + " port=" + first.port()
                            + " user=postgres application_name=" + name);
            // Without it vacuum ends long reads there, or a commit waits for them.
            settings.put("hot_standby_feedback", "on");
        }
        return settings;
    }

    private void awaitStreaming(PostgresServer first) throws BenchException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        try (Connection connection = first.node().open("postgres");
                Statement statement = connection.createStatement()) {
            while (true) {
                try (ResultSet row =
                        statement.executeQuery("SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'")) {
                    row.next();
                    if (row.getInt(1) == others) {
                        return;
                    }
                }
                if (System.nanoTime() - deadline > 0) {
                    throw new BenchException("the hot standbys do not follow; their logs are in copy-1, ...");
                }
                Thread.sleep(20);
            }
        } catch (SQLException e) {
            throw new BenchException("cannot ask whether the hot standbys follow: " + e.getMessage(), e);
        }
    }

    /** Snapshot isolation is only as good as that of each engine (Pgpool-II manual, "Snapshot isolation mode"). */
    private static void requireSnapshots(List<PostgresServer> servers) throws BenchException {
        for (PostgresServer server : servers) {
            try (Connection connection = server.node().open("postgres");
                    Statement statement = connection.createStatement()) {
                // Where it is only tried whether the system starts there is no such database.
                statement.execute("""
                        DO $$ BEGIN
                          IF EXISTS (SELECT FROM pg_database WHERE datname = '%1$s') THEN
                            ALTER DATABASE %1$s SET default_transaction_isolation = 'repeatable read';
                          END IF;
                        END $$""".formatted(Template.DATABASE));
            } catch (SQLException e) {
                throw new BenchException("cannot set the isolation of " + server.node() + ": " + e.getMessage(), e);
            }
        }
    }

    private Leashed start(List<PostgresServer> servers, Path files, int port) throws BenchException {
        Path config = files.resolve("pgpool.conf");
        Path administrators = files.resolve("pcp.conf");
        StringBuilder text = new StringBuilder("""
                backend_clustering_mode = '%s'
                listen_addresses = '127.0.0.1'
                port = %d
                socket_dir = '%s'
                pcp_listen_addresses = ''
                pcp_port = %d
                pcp_socket_dir = '%s'
                pid_file_name = '%s'
                logdir = '%s'
                num_init_children = %d
                max_pool = 1
                load_balance_mode = on
                sr_check_period = 0
                health_check_period = 0
                failover_on_backend_error = off
                enable_pool_hba = off
                pool_passwd = ''
                """.formatted(
                        replication.mode,
                        port,
                        files,
                        PostgresServer.freePort(),
                        files,
                        files.resolve("pgpool.pid"),
                        files,
                        equipment.clients() + SPARE_CLIENTS));
        for (int number = 0; number < servers.size(); number++) {
            PostgresServer server = servers.get(number);
            text.append("""
                    backend_hostname%1$d = '%2$s'
                    backend_port%1$d = %3$d
                    backend_weight%1$d = 1
                    backend_flag%1$d = '%4$s'
                    """.formatted(
                            number,
                            server.node().address().directory(),
                            server.port(),
                            number == 0 ? "ALWAYS_PRIMARY" : "DISALLOW_TO_FAILOVER"));
        }
        try {
            Files.writeString(config, text);
            Files.writeString(administrators, "");
            equipment.workspace().user().own(config);
            equipment.workspace().user().own(administrators);
        } catch (IOException e) {
            throw new BenchException("cannot write " + config + ": " + e, e);
        }
        return Leashed.start(
                PROGRAM,
                equipment.workspace().user(),
                equipment.cores(),
                List.of(program.command(), "-n", "-f", config.toString(), "-F", administrators.toString()),
                files.resolve("pgpool.log"));
    }

    /** @param servers the first one first; grows while they are started */
    private record Engines(List<PostgresServer> servers) implements RunningSystem {
        @Override
        public Address address() {
            return new Address("127.0.0.1", servers.get(0).port(), "");
        }

        @Override
        public List<Node> nodes() {
            return servers.stream().map(PostgresServer::node).toList();
        }

        @Override
        public Map<String, Long> processes() {
            Map<String, Long> all = new TreeMap<>();
            for (PostgresServer server : servers) {
                String name = server.node().name();
                all.put(name, server.pid());
                replay(server).ifPresent(pid -> all.put(name + Used.REPLAY, pid));
            }
            return all;
        }

        private static OptionalLong replay(PostgresServer server) {
            try {
                return server.node().replayPid();
            } catch (SQLException e) {
                throw new IllegalStateException(server.node().name() + " does not answer", e);
            }
        }

        @Override
        public void close() {
            servers.forEach(PostgresServer::close);
        }
    }
}
