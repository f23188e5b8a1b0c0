package io.multimed.bench.system;

import io.multimed.bench.BenchException;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** PgBouncer, one process binding connections for a transaction at a time, in front of the one PostgreSQL. */
final class PgBouncer implements SystemUnderTest {
    private static final long PATIENCE_NANOS = 10_000_000_000L;
    /** The first release that translates prepared statements. */
    private static final int PREPARES_FROM = 121;
    /** For pgjdbc, where it does not. */
    private static final String UNPREPARED = "prepareThreshold=0";

    private final Equipment equipment;
    private final Standalone behind;
    private final int pool;
    private final @Nullable Path program;

    /** @param pool connections to PostgreSQL */
    PgBouncer(Equipment equipment, Standalone behind, int pool) {
        this.equipment = equipment;
        this.behind = behind;
        this.pool = pool;
        this.program = find();
    }

    private static @Nullable Path find() {
        String path = System.getenv("PATH") + ":/usr/sbin:/usr/local/sbin";
        for (String directory : path.split(":")) {
            Path candidate = Path.of(directory, "pgbouncer");
            if (!directory.isEmpty() && Files.isExecutable(candidate)) {
                return candidate;
            }
        }
        return null;
    }

    @Override
    public String name() {
        return "pgbouncer";
    }

    @Override
    public String description() {
        return "PgBouncer " + version().orElse("?") + ", transaction mode, " + pool + " connections to "
                + behind.description() + (prepares() ? "" : "; nothing prepared by name (" + UNPREPARED + ")");
    }

    @Override
    public Optional<String> missing() {
        if (program == null) {
            return Optional.of("there is no program 'pgbouncer' on the PATH");
        }
        return version().isPresent() ? Optional.empty() : Optional.of(program + " does not tell its version");
    }

    private Optional<String> version() {
        try {
            Process process = new ProcessBuilder(String.valueOf(program), "--version").start();
            process.getOutputStream().close();
            Matcher matcher = Pattern.compile("PgBouncer (\\d+\\.\\d+)")
                    .matcher(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
            return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private boolean prepares() {
        String[] numbers = version().orElse("0.0").split("\\.");
        return Integer.parseInt(numbers[0]) * 100 + Integer.parseInt(numbers[1]) >= PREPARES_FROM;
    }

    @Override
    public RunningSystem start(Path data, Path files) throws BenchException, InterruptedException {
        Standalone.Running server = behind.start(data, files, pool + 20);
        try {
            return start(server, files);
        } catch (BenchException | InterruptedException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    private RunningSystem start(Standalone.Running server, Path files) throws BenchException, InterruptedException {
        int port = PostgresServer.freePort();
        Path config = files.resolve("pgbouncer.ini");
        try {
            Files.writeString(config, """
                    [databases]
                    * = host=%s port=%d
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
                            server.server().port(),
                            port,
                            equipment.clients() + 20,
                            pool,
                            prepares() ? "max_prepared_statements = 200" : ""));
            // auth_type any takes the user from the database's line, so that it has to stand there.
            Files.writeString(config, Files.readString(config).replace("* = host", "* = user=postgres host"));
            equipment.workspace().user().own(config);
        } catch (IOException e) {
            throw new BenchException("cannot write " + config + ": " + e, e);
        }
        Leashed process = Leashed.start(
                "pgbouncer",
                equipment.workspace().user(),
                equipment.cores(),
                List.of(String.valueOf(program), config.toString()),
                files.resolve("pgbouncer.log"));
        try {
            awaitPort(process, port);
        } catch (BenchException | InterruptedException e) {
            process.close();
            throw e;
        }
        return new Running(server, process, port, prepares() ? "" : UNPREPARED);
    }

    private static void awaitPort(Leashed process, int port) throws BenchException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            try {
                new Socket("127.0.0.1", port).close();
                return;
            } catch (IOException notYet) {
                if (process.process().waitFor(10, TimeUnit.MILLISECONDS) || System.nanoTime() - deadline > 0) {
                    throw new BenchException("pgbouncer does not start: " + process.lastWords(), notYet);
                }
            }
        }
    }

    private record Running(Standalone.Running server, Leashed process, int port, String options)
            implements RunningSystem {
        @Override
        public Address address() {
            return new Address("127.0.0.1", port, options);
        }

        @Override
        public List<Node> nodes() {
            return server.nodes();
        }

        @Override
        public Map<String, Long> processes() {
            Map<String, Long> all = new TreeMap<>(server.processes());
            all.put("pgbouncer", process.pid());
            return all;
        }

        @Override
        public void close() throws BenchException {
            try {
                process.close();
            } finally {
                server.close();
            }
        }
    }
}
