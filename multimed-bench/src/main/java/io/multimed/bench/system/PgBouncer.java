package io.multimed.bench.system;

import io.multimed.bench.BenchException;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import java.io.IOException;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** PgBouncer: one process that assigns connections for a transaction at a time, in front of one PostgreSQL. */
final class PgBouncer implements SystemUnderTest {
    private static final String NAME = "pgbouncer";
    private static final Version OLDEST = Version.parse("1.0");
    /** The first release that translates prepared statements. */
    private static final Version PREPARES = Version.parse("1.21");
    /** Option of pgjdbc for releases that do not. */
    private static final String UNPREPARED = "prepareThreshold=0";

    private final Equipment<EngineBinaries> equipment;
    private final Standalone behind;
    private final int pool;
    private final InstalledProgram program = InstalledProgram.find(NAME);

    /** @param pool connections to PostgreSQL */
    PgBouncer(Equipment<EngineBinaries> equipment, Standalone behind, int pool) {
        this.equipment = equipment;
        this.behind = behind;
        this.pool = pool;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "PgBouncer " + program.version().map(Version::toString).orElse("?") + ", transaction mode, " + pool
                + " connections to " + behind.description()
                + (prepares() ? "" : "; nothing prepared by name (" + UNPREPARED + ")");
    }

    @Override
    public Optional<String> missing() {
        return program.missing(OLDEST);
    }

    private boolean prepares() {
        return program.isFrom(PREPARES);
    }

    @Override
    public RunningSystem start(Path data, Path files) throws BenchException, InterruptedException {
        EngineGroup server = behind.start(data, files, pool + 20);
        return Proxied.start(NAME, server, prepares() ? "" : UNPREPARED, port -> start(server, files, port));
    }

    private Leashed start(EngineGroup server, Path files, int port) throws BenchException {
        Path config = files.resolve("pgbouncer.ini");
        try {
            // With auth_type any, PgBouncer takes the user from the database's line, so the line must contain it.
            Files.writeString(config, """
                    [databases]
                    * = user=postgres host=%s port=%d
                    [pgbouncer]
                    listen_addr = 127.0.0.1
                    listen_port = %d
                    unix_socket_dir =
                    auth_type = any
                    pool_mode = transaction
                    max_client_conn = %d
                    default_pool_size = %d
                    ignore_startup_parameters = extra_float_digits
                    server_reset_query =
                    log_connections = 0
                    log_disconnections = 0
                    %s
                    """.formatted(
                            files,
                            server.servers().getFirst().port(),
                            port,
                            equipment.clients() + 20,
                            pool,
                            prepares() ? "max_prepared_statements = 200" : ""));
            equipment.workspace().user().own(config);
        } catch (IOException e) {
            throw new BenchException("cannot write " + config + ": " + e, e);
        }
        return Leashed.start(
                NAME,
                equipment.workspace().user(),
                equipment.cores(),
                List.of(program.command(), config.toString()),
                files.resolve("pgbouncer.log"));
    }
}
