package io.multimed.cli;

import io.multimed.engine.EngineException;
import io.multimed.server.Multimed;
import io.multimed.server.Progress;
import io.multimed.server.StartException;
import io.multimed.server.StartOptions;
import io.multimed.server.config.ConfigurationException;
import io.multimed.server.config.Overrides;
import io.multimed.server.status.StatusJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * A short life of an instance in a temporary directory, during which the JVM records what it loads: the launcher makes
 * its class cache of it.
 */
final class WarmUpCommand {
    private static final Duration LOAD = Duration.ofSeconds(3);
    private static final Duration SATELLITE_PATIENCE = Duration.ofSeconds(30);

    static final Subcommand COMMAND = new Subcommand(
            "warm-up", "Run a short-lived instance, for the launcher's class cache.", List.of(), WarmUpCommand::run);

    private WarmUpCommand() {}

    private static int run(Arguments given)
            throws ConfigurationException, StartException, EngineException, InterruptedException, IOException,
                    SQLException {
        Path directory = Files.createTempDirectory("multimed-warm-up");
        try {
            // The engines' user must be able to pass.
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
            Path config = Files.writeString(
                    directory.resolve("warm-up.toml"),
                    "endpoint.listen = \"127.0.0.1:0\"\nmetrics.listen = \"127.0.0.1:0\"\n");
            live(directory, config);
        } finally {
            delete(directory);
        }
        return 0;
    }

    private static void live(Path directory, Path config)
            throws ConfigurationException, StartException, EngineException, InterruptedException, SQLException {
        Overrides overrides = new Overrides(
                Optional.empty(),
                OptionalInt.of(1),
                Optional.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                OptionalInt.empty());
        StartOptions options =
                new StartOptions(directory.resolve("home"), Optional.of(config), overrides, Progress.SILENT, log -> {});
        try (Multimed multimed = Multimed.start(options)) {
            StatusJson.read(StatusJson.write(multimed.status()));
            long patience = System.nanoTime() + SATELLITE_PATIENCE.toNanos();
            while (!multimed.settled() && System.nanoTime() - patience < 0) {
                Thread.sleep(10);
            }
            String url = "jdbc:" + multimed.uri() + "?user=postgres&preferQueryMode=";
            load(url + "simple");
            load(url + "extended");
        }
    }

    /** What clients send most, for long enough that the JVM sees what is hot: the cache keeps that too (JEP 515). */
    private static void load(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS t");
            statement.execute("CREATE TABLE t (a int PRIMARY KEY, b int)");
            statement.execute("INSERT INTO t SELECT i, i FROM generate_series(1, 100) i");
            try (PreparedStatement read = connection.prepareStatement("SELECT b FROM t WHERE a = ?");
                    PreparedStatement update = connection.prepareStatement("UPDATE t SET b = b + ? WHERE a = ?")) {
                long end = System.nanoTime() + LOAD.toNanos();
                for (int round = 0; System.nanoTime() - end < 0; round++) {
                    int key = round % 100 + 1;
                    for (int i = 0; i < 10; i++) {
                        read(read, key);
                    }
                    connection.setAutoCommit(false);
                    update.setInt(1, round % 7);
                    update.setInt(2, key);
                    update.executeUpdate();
                    read(read, key);
                    connection.commit();
                    connection.setAutoCommit(true);
                }
            }
        }
    }

    private static void read(PreparedStatement statement, int key) throws SQLException {
        statement.setInt(1, key);
        try (ResultSet rows = statement.executeQuery()) {
            rows.next();
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
