package io.multimed.engine.postgresql.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.postgresql.TestEngines;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.engine.postgresql.catalog.AdminConnection;
import io.multimed.engine.process.CoreBinding;
import io.multimed.engine.process.EngineTool;
import io.multimed.engine.process.Pinning;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("slow")
class MasterClusterTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration GRACE = Duration.ofSeconds(30);

    private final List<MasterCluster> masters = new ArrayList<>();
    private Path temp;

    static List<EngineBinaries> releases() throws Exception {
        return TestEngines.releases();
    }

    @BeforeEach
    void makeDirectory() throws Exception {
        temp = TestEngines.directory();
    }

    @AfterEach
    void endEngines() throws Exception {
        masters.forEach(MasterCluster::kill);
        TestEngines.delete(temp);
    }

    @ParameterizedTest
    @MethodSource("releases")
    void keepsItsDataFromRunToRun(EngineBinaries binaries) throws Exception {
        MasterCluster master = master(binaries, CoreBinding.NONE);
        assertFalse(master.initialised());
        master.initialise();
        assertTrue(master.initialised());
        master.start(PATIENCE, MasterClusterTest::ignore);
        assertEquals("multimed_relay", text(master, "SHOW synchronous_standby_names"));
        assertEquals("on", text(master, "SHOW data_checksums"));
        assertEquals("UTF8", text(master, "SHOW server_encoding"));
        assertEquals("off", text(master, "SHOW restart_after_crash"));
        assertEquals("", text(master, "SHOW listen_addresses"));
        execute(master, "CREATE TABLE kept AS SELECT 42 AS answer");
        master.stop(GRACE);
        assertFalse(master.alive());

        MasterCluster next = master(binaries, CoreBinding.NONE);
        next.start(PATIENCE, MasterClusterTest::ignore);
        assertEquals("42", text(next, "SELECT answer FROM kept"));
    }

    @ParameterizedTest
    @MethodSource("releases")
    void runsOnADirectoryMadeWithoutItAndLeavesItUsable(EngineBinaries binaries) throws Exception {
        Path data = temp.resolve("master");
        TestEngines.user().privateDirectory(data);
        EngineTool.run(
                TestEngines.user(),
                List.of(binaries.initdb().toString(), "-D", data.toString(), "-U", "postgres", "-A", "trust"),
                Map.of());
        Path conf = data.resolve("postgresql.conf");
        Files.writeString(
                conf,
                Files.readString(conf) + "logging_collector = on\nlisten_addresses = '*'\nport = 1\nfsync = off\n");
        String before = Files.readString(conf);
        MasterCluster master = master(binaries, CoreBinding.NONE);
        assertTrue(master.initialised());
        assertTrue(master.changes().getFirst().contains(data.toString()));
        master.start(PATIENCE, MasterClusterTest::ignore);
        assertEquals("on", text(master, "SHOW fsync"));
        master.stop(GRACE);
        assertEquals(before, Files.readString(conf));
        assertFalse(Files.exists(data.resolve("standby.signal")));
        assertFalse(Files.exists(data.resolve("postmaster.pid")));
    }

    @Test
    void refusesTheDataOfAnotherRelease() throws Exception {
        Path data = Files.createDirectory(temp.resolve("master"));
        Files.writeString(data.resolve("PG_VERSION"), "16\n");
        MasterCluster master = master(TestEngines.embedded(), CoreBinding.NONE);
        EngineException refusal =
                assertThrows(EngineException.class, () -> master.start(PATIENCE, MasterClusterTest::ignore));
        assertTrue(
                refusal.getMessage().startsWith("The data directory " + data + " was made by PostgreSQL 16, but"),
                refusal.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"standby.signal,it cannot be a Master", "recovery.signal,until its recovery has ended"})
    void refusesDataWhoseRecoveryHasNotEnded(String signal, String reason) throws Exception {
        MasterCluster master = master(TestEngines.embedded(), CoreBinding.NONE);
        TestMaster.initialise(master, TestEngines.embedded());
        Path data = master.dataDirectory();
        Path file = data.resolve(signal);
        TestEngines.user().files(() -> Files.createFile(file));
        EngineException refusal =
                assertThrows(EngineException.class, () -> master.start(PATIENCE, MasterClusterTest::ignore));
        assertTrue(refusal.getMessage().startsWith("The data directory " + data + " is "), refusal.getMessage());
        assertTrue(refusal.getMessage().contains(reason), refusal.getMessage());
        assertTrue(Files.exists(file));
        assertFalse(Files.exists(temp.resolve("log/master.log")), "an engine was started");
    }

    @Test
    void neverInitialisesADirectoryThatHoldsSomethingElse() throws Exception {
        Path data = Files.createDirectory(temp.resolve("master"));
        Files.writeString(data.resolve("letter.txt"), "dear reader");
        MasterCluster master = master(TestEngines.embedded(), CoreBinding.NONE);
        EngineException refusal = assertThrows(EngineException.class, master::initialise);
        assertTrue(refusal.getMessage().contains("neither empty nor"), refusal.getMessage());
        try (var entries = Files.list(temp)) {
            assertEquals(List.of(data), entries.toList());
        }
    }

    @Test
    void namesTheEnginesOwnReasonWhenItDoesNotStart() throws Exception {
        MasterCluster master = master(TestEngines.embedded(), CoreBinding.NONE, Map.of("shared_buffers", "900TB"));
        TestMaster.initialise(master, TestEngines.embedded());
        EngineException failure =
                assertThrows(EngineException.class, () -> master.start(PATIENCE, MasterClusterTest::ignore));
        assertTrue(failure.getMessage().contains("shared_buffers"), failure.getMessage());
        assertFalse(master.alive());
        MasterCluster forbidden = master(TestEngines.embedded(), CoreBinding.NONE, Map.of("hba_file", "/tmp/x"));
        EngineException refusal =
                assertThrows(EngineException.class, () -> forbidden.start(PATIENCE, MasterClusterTest::ignore));
        assertEquals("The setting 'hba_file' of node master is Multimed's own.", refusal.getMessage());
    }

    @Test
    void saysThatAClusterLacksItsSuperuser() throws Exception {
        Path data = temp.resolve("master");
        TestEngines.user().privateDirectory(data);
        String initdb = TestEngines.embedded().initdb().toString();
        EngineTool.run(TestEngines.user(), List.of(initdb, "-D", data.toString(), "-U", "admin", "-N"), Map.of());
        MasterCluster master = master(TestEngines.embedded(), CoreBinding.NONE);
        EngineException refusal =
                assertThrows(EngineException.class, () -> master.start(PATIENCE, MasterClusterTest::ignore));
        assertTrue(refusal.getMessage().startsWith("Multimed needs the superuser 'postgres'"), refusal.getMessage());
        assertFalse(master.alive());
        // The stop was in order: a recovery would empty its unlogged tables.
        String log = Files.readString(temp.resolve("log/master.log"));
        assertTrue(log.contains("database system is shut down"), log);
    }

    @Test
    void tellsWhenItsEngineCrashes() throws Exception {
        MasterCluster master = master(TestEngines.embedded(), CoreBinding.NONE);
        TestMaster.initialise(master, TestEngines.embedded());
        CompletableFuture<String> crash = new CompletableFuture<>();
        master.start(PATIENCE, crash::complete);
        execute(master, "CREATE TABLE kept AS SELECT 1 AS one");
        Connection connection = connect(master);
        // The death of a backend ends the whole engine, which must not come back by itself.
        String pid = single(connection, "SELECT pg_backend_pid()");
        new ProcessBuilder("kill", "-9", pid).start().waitFor();
        crash.get(30, TimeUnit.SECONDS);
        connection.abort(Runnable::run);
        assertFalse(master.alive());
        master.start(PATIENCE, MasterClusterTest::ignore);
        assertEquals("1", text(master, "SELECT one FROM kept"));
    }

    @Test
    void pinsEveryProcessOfTheEngine() throws Exception {
        List<Integer> ours = Pinning.coresOf(ProcessHandle.current().pid());
        int core = ours.getLast();
        MasterCluster master = master(TestEngines.embedded(), CoreBinding.toCores(List.of(core)));
        TestMaster.initialise(master, TestEngines.embedded());
        master.start(PATIENCE, MasterClusterTest::ignore);
        assertEquals(List.of(core), Pinning.coresOf(master.pid()));
        try (Connection connection = connect(master)) {
            long backend = Long.parseLong(single(connection, "SELECT pg_backend_pid()"));
            assertEquals(List.of(core), Pinning.coresOf(backend));
        }
        assertEquals(ours, Pinning.coresOf(ProcessHandle.current().pid()));
    }

    private MasterCluster master(EngineBinaries binaries, CoreBinding binding) throws Exception {
        return master(binaries, binding, Map.of());
    }

    private MasterCluster master(EngineBinaries binaries, CoreBinding binding, Map<String, String> settings)
            throws Exception {
        MasterCluster master = new MasterCluster(new MasterConfig(
                binaries,
                TestEngines.user(),
                temp.resolve("master"),
                temp.resolve("run"),
                temp.resolve("log/master.log"),
                binding,
                256L << 20,
                20,
                settings));
        masters.add(master);
        return master;
    }

    private static Connection connect(MasterCluster master) throws SQLException {
        Connection connection = AdminConnection.open(master.address(), "postgres", "postgres");
        try (var statement = connection.createStatement()) {
            // There is no relay here that commits could wait for.
            statement.execute("SET synchronous_commit = local");
        }
        return connection;
    }

    private static String text(MasterCluster master, String query) throws SQLException {
        try (Connection connection = connect(master)) {
            return single(connection, query);
        }
    }

    private static String single(Connection connection, String query) throws SQLException {
        try (var rows = connection.createStatement().executeQuery(query)) {
            assertTrue(rows.next());
            return rows.getString(1);
        }
    }

    private static void execute(MasterCluster master, String sql) throws SQLException {
        try (Connection connection = connect(master)) {
            connection.createStatement().execute(sql);
        }
    }

    private static void ignore(String reason) {}
}
