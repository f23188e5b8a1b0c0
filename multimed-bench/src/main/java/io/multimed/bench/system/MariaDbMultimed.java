package io.multimed.bench.system;

import io.multimed.bench.BenchException;
import io.multimed.engine.mariadb.binaries.MariaDbBinaries;
import io.multimed.server.home.Home;
import io.multimed.server.status.NodeStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;

/**
 * Multimed with MariaDB.
 *
 * @param options number and settings of its Satellites
 * @param freshness of sessions that do not choose
 */
record MariaDbMultimed(String name, Equipment<MariaDbBinaries> equipment, Systems.Options options, String freshness)
        implements SystemUnderTest {
    @Override
    public String description() {
        int satellites = options.satellites();
        return "Multimed, " + satellites + (satellites == 1 ? " Satellite" : " Satellites")
                + (satellites == 0 ? "" : " on memory")
                + (options.engineCores() == 0 ? "" : " with " + options.engineCores() + " cores each")
                + (options.settings().isEmpty() ? "" : " with " + new TreeMap<>(options.settings())) + ", " + freshness
                + " freshness, MariaDB " + equipment.binaries().version();
    }

    @Override
    public RunningSystem start(Path data, Path files) throws BenchException, InterruptedException {
        int metrics = PostgresServer.freePort();
        String config = """
                [endpoint]
                listen = "127.0.0.1:0"
                max_clients = %d
                [metrics]
                listen = "127.0.0.1:%d"
                [reads]
                freshness = "%s"
                %s
                [satellites]
                count = %d
                [nodes.master.settings]
                transaction_isolation = "%s"
                [nodes.satellite.settings]
                %s
                """.formatted(
                        equipment.clients() + Standalone.SPARE_CONNECTIONS,
                        metrics,
                        freshness,
                        RunningMultimed.cores(options.engineCores()),
                        options.satellites(),
                        MariaDbSystems.ISOLATION,
                        RunningMultimed.toml(options.settings()));
        return RunningMultimed.start(
                new RunningMultimed.Up(
                        name,
                        home(data, files),
                        equipment.launcher(),
                        List.of("--engine", "mariadb"),
                        config,
                        metrics,
                        options.satellites()),
                equipment.cores(),
                new OfMariaDb(),
                files);
    }

    /** Makes an instance's directory around the Master's data. */
    private static Home home(Path data, Path files) throws BenchException {
        Path directory = files.resolve("home");
        Home home = Home.of(directory);
        try {
            Files.createDirectory(directory);
            // The engines' user passes through it.
            Files.setPosixFilePermissions(
                    directory, java.nio.file.attribute.PosixFilePermissions.fromString("rwx--x--x"));
            Files.move(data, home.data());
            // Otherwise it would not be taken for an instance's.
            Files.createFile(home.lockFile());
        } catch (IOException e) {
            throw new BenchException("cannot make " + directory + ": " + e, e);
        }
        return home;
    }

    private record OfMariaDb() implements RunningMultimed.Engines {
        @Override
        public RunningSystem.Address address(int port) {
            return RunningSystem.Address.mariadb(port);
        }

        @Override
        public Node node(NodeStatus status) {
            return new MariaDbNode(status.name(), Path.of(status.host()), List.of());
        }
    }
}
