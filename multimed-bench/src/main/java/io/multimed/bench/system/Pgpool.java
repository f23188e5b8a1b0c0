package io.multimed.bench.system;

import io.multimed.bench.BenchException;
import io.multimed.bench.system.EngineGroup.Replication;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import java.io.IOException;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;

/**
 * Pgpool-II in front of as many PostgreSQLs as Multimed has nodes, in the modes in which a read sees all earlier commits. Each
 * client has a process of Pgpool-II and a connection to each engine to itself (Pgpool-II manual, "Connection Pooling").
 */
final class Pgpool implements SystemUnderTest {
    /** A mode of Pgpool-II. */
    enum Mode {
        REMOTE_APPLY("pgpool", "streaming_replication", Replication.STREAMING, "%d following it with remote_apply"),
        /** Pgpool-II makes all engines take their snapshots at the same point. */
        SNAPSHOT_ISOLATION(
                "pgpool-si",
                "snapshot_isolation",
                Replication.BY_STATEMENTS,
                "%d beside it executing every write as well");

        private final String system;
        private final String clustering;
        private final Replication replication;
        private final String others;

        Mode(String system, String clustering, Replication replication, String others) {
            this.system = system;
            this.clustering = clustering;
            this.replication = replication;
            this.others = others;
        }
    }

    private static final String PROGRAM = "pgpool";
    /** The first release with snapshot isolation. */
    private static final Version OLDEST = Version.parse("4.2");
    /** Connections for the harness itself. */
    private static final int SPARE_CLIENTS = 20;

    private final Equipment<EngineBinaries> equipment;
    private final Mode mode;
    private final int others;
    private final InstalledProgram program = InstalledProgram.find(PROGRAM);

    /** @param others engines beside the first one */
    Pgpool(Equipment<EngineBinaries> equipment, Mode mode, int others) {
        this.equipment = equipment;
        this.mode = mode;
        this.others = others;
    }

    @Override
    public String name() {
        return mode.system;
    }

    @Override
    public String description() {
        return "Pgpool-II " + program.version().map(Version::toString).orElse("?") + ", "
                + mode.clustering.replace('_', ' ') + ", in front of one PostgreSQL "
                + equipment.binaries().version() + ", " + mode.others.formatted(others)
                + " (fsync off), default planner settings";
    }

    @Override
    public Optional<String> missing() {
        return program.missing(OLDEST);
    }

    @Override
    public RunningSystem start(Path data, Path files) throws BenchException, InterruptedException {
        EngineGroup engines = EngineGroup.start(equipment, mode.replication, others, data, files);
        return Proxied.start(PROGRAM, engines, "", port -> {
            if (mode == Mode.SNAPSHOT_ISOLATION) {
                requireSnapshots(engines);
            }
            return start(engines, files, port);
        });
    }

    /**
     * Requires snapshots of each engine, since Pgpool-II's snapshot isolation relies on them (Pgpool-II manual, "Snapshot
     * isolation mode").
     */
    private static void requireSnapshots(EngineGroup engines) throws BenchException {
        for (Node node : engines.nodes()) {
            try (Connection connection = node.open("postgres");
                    Statement statement = connection.createStatement()) {
                statement.execute("ALTER DATABASE " + Template.DATABASE
                        + " SET default_transaction_isolation = 'repeatable read'");
            } catch (SQLException e) {
                throw new BenchException("cannot set the isolation of " + node.name() + ": " + e.getMessage(), e);
            }
        }
    }

    private Leashed start(EngineGroup engines, Path files, int port) throws BenchException {
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
                        mode.clustering,
                        port,
                        files,
                        PostgresServer.freePort(),
                        files,
                        files.resolve("pgpool.pid"),
                        files,
                        equipment.clients() + SPARE_CLIENTS));
        for (int number = 0; number < engines.servers().size(); number++) {
            PostgresServer server = engines.servers().get(number);
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
}
