package io.multimed.cli;

import io.multimed.cli.command.Arguments;
import io.multimed.cli.command.Subcommand;
import io.multimed.core.spi.EngineException;
import io.multimed.server.Multimed;
import io.multimed.server.StartOptions;
import io.multimed.server.config.ConfigurationException;
import io.multimed.server.config.Overrides;
import io.multimed.server.startup.Progress;
import io.multimed.server.startup.StartException;
import io.multimed.server.status.StatusJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * Runs an instance for a short time in a temporary directory, while the JVM records the classes it loads. The launcher makes
 * its class cache from the record.
 */
final class WarmUpCommand {
    private static final int ROUNDS = 50;

    static final Subcommand COMMAND = new Subcommand(
            "warm-up", "Run a short-lived instance, for the launcher's class cache.", List.of(), WarmUpCommand::run);

    private WarmUpCommand() {}

    private static int run(Arguments given)
            throws ConfigurationException, StartException, EngineException, InterruptedException, IOException,
                    SQLException {
        Path directory = Files.createTempDirectory("multimed-warm-up");
        try {
            // The engines' user must be able to pass through the directory.
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
                OptionalInt.of(0),
                Optional.empty(),
                Optional.empty(),
                OptionalInt.empty(),
                OptionalInt.empty());
        StartOptions options = new StartOptions(
                directory.resolve("home"), Optional.of(config), overrides, Progress.SILENT, (log, format) -> {});
        try (Multimed multimed = Multimed.start(options);
                Connection connection = DriverManager.getConnection("jdbc:" + multimed.uri(), "postgres", "")) {
            StatusJson.read(StatusJson.write(multimed.status()));
            try (Statement statement = connection.createStatement();
                    PreparedStatement prepared = connection.prepareStatement("SELECT * FROM t WHERE a = ?")) {
                statement.execute("CREATE TABLE t (a int)");
                for (int round = 0; round < ROUNDS; round++) {
                    statement.execute("INSERT INTO t VALUES (" + round + ")");
                    prepared.setInt(1, round);
                    prepared.executeQuery().close();
                }
            }
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
