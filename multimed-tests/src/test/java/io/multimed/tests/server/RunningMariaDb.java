package io.multimed.tests.server;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.spi.CopyProgress;
import io.multimed.endpoint.mysql.MysqlEndpoint;
import io.multimed.endpoint.mysql.config.MysqlEndpointOptions;
import io.multimed.endpoint.mysql.config.MysqlTls;
import io.multimed.endpoint.mysql.services.MysqlEndpointServices;
import io.multimed.engine.files.ProgramCache;
import io.multimed.engine.mariadb.binaries.EmbeddedMariaDb;
import io.multimed.engine.mariadb.binaries.MariaDbBinaries;
import io.multimed.engine.process.EngineUser;
import io.multimed.mariadb.MariaDbEndpointsForTests;
import io.multimed.mariadb.MariaDbInstance;
import io.multimed.mariadb.MariaDbOptions;
import io.multimed.mariadb.MariaDbTables;
import io.multimed.mariadb.NodeReport;
import io.multimed.model.plan.PlanRequest;
import io.multimed.model.plan.Planner;
import io.multimed.model.topology.MachineShape;
import io.multimed.model.topology.Topology;
import io.multimed.testkit.process.TestDirectory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A Multimed with MariaDB in the test's own JVM, so that a test can change parts of it. */
public final class RunningMariaDb implements AutoCloseable {
    private static final long MEMORY = 2L << 30;

    private final TestDirectory directory;
    private final Path memory;
    private final EngineUser user;
    private final MariaDbBinaries binaries;
    private final MariaDbInstance instance;

    private RunningMariaDb(
            TestDirectory directory, Path memory, EngineUser user, MariaDbBinaries binaries, MariaDbInstance instance) {
        this.directory = directory;
        this.memory = memory;
        this.user = user;
        this.binaries = binaries;
        this.instance = instance;
    }

    /** Starts an instance and waits until all its Satellites serve. */
    public static RunningMariaDb start(int satellites) throws Exception {
        return start(satellites, null);
    }

    /** Starts an instance whose clients can have TLS. */
    public static RunningMariaDb start(int satellites, @Nullable MysqlTls tls) throws Exception {
        EngineUser user = EngineUser.choose("mysql");
        TestDirectory directory = new TestDirectory();
        Path memory = Files.createTempDirectory(Path.of("/dev/shm"), "multimed-test-");
        user.own(memory);
        MariaDbBinaries binaries = EmbeddedMariaDb.unpack(ProgramCache.standard(), CopyProgress.SILENT);
        RunningMariaDb running = new RunningMariaDb(
                directory,
                memory,
                user,
                binaries,
                MariaDbInstance.start(new MariaDbOptions(
                        binaries,
                        user,
                        directory.path(),
                        directory.path(),
                        memory,
                        new MariaDbOptions.Front(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                                options -> options.with(tls),
                                MariaDbTables.NONE),
                        Planner.plan(
                                Topology.regular("two cores", new MachineShape(1, 1, 2, 1, false), MEMORY),
                                PlanRequest.DEFAULT.withSatellites(satellites)))));
        RunningMultimed.await(
                () -> running.instance.satellitesServing() == satellites, "all Satellites of MariaDB serving");
        return running;
    }

    public MariaDbInstance instance() {
        return instance;
    }

    /** Returns the path of one of MariaDB's own clients. */
    public String program(String name) {
        return binaries.server().resolveSibling(name).toString();
    }

    /** Returns the Master's data directory. */
    public Path data() {
        return directory.resolve("data");
    }

    /** Returns the state of all nodes, the Master first. */
    public List<NodeReport> nodes() {
        return instance.reports();
    }

    /** Returns a second endpoint over the same nodes, on a free port, with other options or other services. */
    public MysqlEndpoint endpoint(
            UnaryOperator<MysqlEndpointOptions> options, UnaryOperator<MysqlEndpointServices> services)
            throws IOException {
        return MariaDbEndpointsForTests.open(instance, options, services);
    }

    /** Returns the number of reads that Satellites have answered. */
    public long served() {
        return instance.nodes().satellites().stream()
                .mapToLong(ComputationalNode::served)
                .sum();
    }

    @Override
    public void close() throws IOException {
        try (directory) {
            instance.close();
            user.deleteTree(memory);
        }
    }
}
