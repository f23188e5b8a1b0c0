package io.multimed.mariadb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.spi.CopyProgress;
import io.multimed.engine.files.ProgramCache;
import io.multimed.engine.mariadb.binaries.EmbeddedMariaDb;
import io.multimed.engine.process.EngineUser;
import io.multimed.model.plan.PlanRequest;
import io.multimed.model.plan.Planner;
import io.multimed.model.topology.MachineShape;
import io.multimed.model.topology.Topology;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A whole instance on real engines, used by MariaDB Connector/J. */
@Tag("slow")
@Timeout(180)
class MariaDbInstanceTest {
    private static final int ROWS = 6;
    private static final long MEMORY = 2L << 30;

    private static Path directory;
    private static Path memory;
    private static MariaDbInstance instance;

    @BeforeAll
    static void start() throws Exception {
        EngineUser user = EngineUser.choose("mysql");
        directory = Files.createTempDirectory(Path.of("/tmp"), "multimed-test-");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        memory = Files.createTempDirectory(Path.of("/dev/shm"), "multimed-test-");
        user.own(memory);
        instance = MariaDbInstance.start(new MariaDbOptions(
                EmbeddedMariaDb.unpack(ProgramCache.standard(), CopyProgress.SILENT),
                user,
                directory,
                directory,
                memory,
                MariaDbOptions.Front.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                Planner.plan(
                        Topology.regular("two cores", new MachineShape(1, 1, 2, 1, false), MEMORY),
                        PlanRequest.DEFAULT.withSatellites(2))));
        try (Connection client = connect();
                Statement statement = client.createStatement()) {
            statement.execute("CREATE DATABASE shop");
            statement.execute("CREATE TABLE shop.item (id INT PRIMARY KEY, n BIGINT) ENGINE = InnoDB");
            for (int id = 0; id < ROWS; id++) {
                statement.execute("INSERT INTO shop.item VALUES (" + id + ", 0)");
            }
        }
        awaitServing();
    }

    @AfterAll
    static void end() throws Exception {
        instance.close();
        for (Path tree : List.of(directory, memory)) {
            new ProcessBuilder("rm", "-rf", tree.toString()).start().waitFor();
        }
    }

    private static Connection connect() throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mariadb://127.0.0.1:" + instance.address().getPort() + "/?user=root&connectTimeout=5000");
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.call()) {
            assertTrue(System.nanoTime() < deadline, what);
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    private static void awaitServing() throws Exception {
        await(
                "all nodes serve",
                () -> instance.masterState().equals("serving")
                        && instance.nodes().satellites().stream().allMatch(ComputationalNode::serving));
    }

    private static long served() {
        return instance.nodes().satellites().stream()
                .mapToLong(ComputationalNode::served)
                .sum();
    }

    /** Clients that each increase a row of their own and read those of others. */
    private static final class Clients {
        /** The value of each row that the Master has acknowledged. */
        final AtomicLongArray acknowledged = new AtomicLongArray(ROWS);
        /** The value that each row can have at most. */
        final AtomicLongArray attempted = new AtomicLongArray(ROWS);

        final Queue<String> violations = new ConcurrentLinkedQueue<>();
        final AtomicInteger errors = new AtomicInteger();
        final AtomicInteger reads = new AtomicInteger();
        private final List<Thread> threads = new ArrayList<>();
        private volatile boolean ending;

        Clients() throws SQLException {
            try (Connection client = connect()) {
                for (int row = 0; row < ROWS; row++) {
                    long now = read(client, row);
                    acknowledged.set(row, now);
                    attempted.set(row, now);
                }
            }
            for (int row = 0; row < ROWS; row++) {
                int own = row;
                threads.add(Thread.ofPlatform().start(() -> run(own)));
            }
        }

        private void run(int own) {
            Random random = new Random(own);
            while (!ending) {
                try (Connection client = connect()) {
                    long[] seen = new long[ROWS];
                    while (!ending) {
                        step(client, own, random, seen);
                    }
                } catch (SQLException e) {
                    // The Master has been killed: the outcome of an update is not known.
                    errors.incrementAndGet();
                }
            }
        }

        private void step(Connection client, int own, Random random, long[] seen) throws SQLException {
            if (random.nextInt(3) == 0) {
                attempted.incrementAndGet(own);
                try (Statement statement = client.createStatement()) {
                    statement.executeUpdate("UPDATE shop.item SET n = n + 1 WHERE id = " + own);
                }
                // An update whose outcome was not known may not have been executed.
                acknowledged.incrementAndGet(own);
                return;
            }
            int row = random.nextInt(ROWS);
            long least = Math.max(acknowledged.get(row), seen[row]);
            long value = read(client, row);
            reads.incrementAndGet();
            if (value < least || value > attempted.get(row)) {
                violations.add("row " + row + ": " + value + ", not from " + least + " to " + attempted.get(row));
            }
            seen[row] = value;
        }

        private static long read(Connection client, int row) throws SQLException {
            try (Statement statement = client.createStatement();
                    ResultSet result = statement.executeQuery("SELECT n FROM shop.item WHERE id = " + row)) {
                result.next();
                return result.getLong(1);
            }
        }

        void end() throws InterruptedException {
            ending = true;
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    @Test
    void strongReadsShowEveryAcknowledgedCommitWhileEnginesAreKilled() throws Exception {
        long before = served();
        Clients clients = new Clients();
        await("Satellites answer reads", () -> served() > before + 1000);
        assertEquals(0, clients.errors.get());

        ComputationalNode satellite = instance.nodes().satellites().get(0);
        kill(instance.pid(satellite));
        await("the Satellite's death is noticed", () -> !satellite.serving());
        awaitServing();
        long withOneReplaced = served();
        await("Satellites answer reads again", () -> served() > withOneReplaced + 100);
        assertEquals(0, clients.errors.get(), "errors after the death of a Satellite");

        kill(instance.pid(instance.nodes().master()));
        await("the Master's death is noticed", () -> clients.errors.get() > 0);
        awaitServing();
        long recovered = served();
        await("Satellites answer reads again", () -> served() > recovered + 100);

        clients.end();
        assertEquals(List.of(), List.copyOf(clients.violations));
        System.out.println(
                clients.reads + " reads, " + (served() - before) + " on Satellites, " + clients.errors + " errors");
    }

    private static void kill(long pid) throws IOException, InterruptedException {
        assertTrue(pid > 0);
        new ProcessBuilder("kill", "-9", Long.toString(pid)).start().waitFor();
    }
}
