package io.multimed.bench.system;

import io.multimed.bench.BenchException;
import io.multimed.engine.postgresql.NodeAddress;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.server.home.Home;
import io.multimed.server.status.NodeStatus;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;

/**
 * Multimed with PostgreSQL.
 *
 * @param options number and settings of its Satellites
 * @param storage of the Satellites: {@code memory} (C1) or {@code disk} (C0)
 * @param freshness that clients choose
 * @param coalesce whether a read that several clients request at once is executed once
 * @param carried by a partial Satellite
 */
record MultimedSystem(
        String name,
        Equipment<EngineBinaries> equipment,
        Systems.Options options,
        String storage,
        String freshness,
        boolean coalesce,
        Carried carried)
        implements SystemUnderTest {
    /** Returns the number of full Satellites. */
    private int full() {
        return carried.fullBeside(options.satellites());
    }

    @Override
    public String description() {
        int satellites = full();
        return "Multimed, " + satellites + (satellites == 1 ? " Satellite" : " Satellites")
                + (satellites == 0 ? "" : " on " + storage)
                + (options.engineCores() == 0 ? "" : " with " + options.engineCores() + " cores each")
                + carried.text()
                + (options.settings().isEmpty() ? "" : " with " + new TreeMap<>(options.settings())) + ", " + freshness
                + " freshness"
                + (coalesce ? "" : ", each read executed by itself") + ", PostgreSQL "
                + equipment.binaries().version();
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
                coalesce = %s
                %s
                [satellites]
                count = %d
                storage = "%s"
                capture = "%s"
                [nodes.satellite.settings]
                %s
                %s""".formatted(
                        equipment.clients() + Standalone.SPARE_CONNECTIONS,
                        metrics,
                        coalesce,
                        RunningMultimed.cores(options.engineCores()),
                        full(),
                        storage,
                        carried.capture(),
                        RunningMultimed.toml(options.settings()),
                        carried.toml());
        return RunningMultimed.start(
                new RunningMultimed.Up(name, Home.of(data), equipment.launcher(), List.of(), config, metrics, full()),
                equipment.cores(),
                new OfPostgresql(driverOptions(), carried),
                files);
    }

    /** Returns pgjdbc's options; none for strong, the default. */
    private String driverOptions() {
        return freshness.equals("strong") ? "" : "options=-c%20multimed.freshness=" + freshness;
    }

    private record OfPostgresql(String driverOptions, Carried carried) implements RunningMultimed.Engines {
        @Override
        public RunningSystem.Address address(int port) {
            return RunningSystem.Address.postgresql(port, driverOptions);
        }

        @Override
        public Node node(NodeStatus status) {
            return new PostgresNode(
                    status.name(),
                    new NodeAddress(Path.of(status.host()), status.port()),
                    status.name().equals(carried.node()) ? carried.tables() : List.of());
        }
    }
}
