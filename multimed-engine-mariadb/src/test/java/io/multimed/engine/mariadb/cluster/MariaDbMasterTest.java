package io.multimed.engine.mariadb.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.mariadb.EngineAccount;
import io.multimed.engine.mariadb.TestMariaDb;
import io.multimed.engine.mariadb.wire.EngineConnection;
import io.multimed.engine.process.CoreBinding;
import io.multimed.engine.process.Pinning;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The Master's engine. No commit waits in these tests: the sessions leave the binary log out. */
@Tag("slow")
class MariaDbMasterTest {
    private Path directory;
    private MariaDbMaster master;

    @BeforeEach
    void makeMaster() throws Exception {
        directory = TestMariaDb.directory();
        master = TestMariaDb.master(directory);
    }

    @AfterEach
    void endMaster() throws Exception {
        master.kill();
        TestMariaDb.delete(directory);
    }

    @Test
    void servesItsPrivateSocketAlone() throws Exception {
        assertTrue(master.initialised());
        List<Integer> core =
                List.of(Pinning.coresOf(ProcessHandle.current().pid()).getFirst());
        MariaDbMasterConfig all = TestMariaDb.config(directory, Map.of("Innodb-Buffer-Pool-Size", "64M"));
        master = new MariaDbMaster(new MariaDbMasterConfig(
                all.binaries(),
                all.user(),
                all.dataDirectory(),
                all.runDirectory(),
                all.logFile(),
                CoreBinding.toCores(core),
                all.memoryBytes(),
                all.maxConnections(),
                all.settings()));
        start(reason -> {});
        try (EngineConnection root = TestMariaDb.root(master)) {
            assertEquals("1", root.value("SELECT @@skip_networking"));
            assertEquals(Integer.toString(64 << 20), root.value("SELECT @@innodb_buffer_pool_size"));
            assertEquals("AFTER_SYNC", root.value("SELECT @@rpl_semi_sync_master_wait_point"));
            assertEquals("ON", root.status("Rpl_semi_sync_master_status"));
            assertEquals("root@localhost", root.value("SELECT CURRENT_USER()"));
        }
        assertEquals(core, Pinning.coresOf(master.pid()));
        assertEquals(TestMariaDb.user().uid(), Files.getAttribute(Path.of("/proc/" + master.pid()), "unix:uid"));
        assertEquals(
                PosixFilePermissions.fromString("rwx------"),
                Files.getPosixFilePermissions(master.socket().getParent()));
    }

    @Test
    void multimedsOwnAccountIsInNoFileAndChangesWithEachStartOfMultimed() throws Exception {
        start(reason -> {});
        EngineAccount account = master.account();
        try (EngineConnection own = master.connect()) {
            assertEquals("multimed@localhost", own.value("SELECT CURRENT_USER()"));
            // Nothing of the account is in the binary log, so it has no GTID.
            assertEquals("", own.value("SELECT @@gtid_binlog_pos"));
        }
        try (var files = Files.list(master.socket().getParent())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertFalse(Files.readString(file).contains(account.password()), file::toString);
            }
        }
        assertThrows(
                IOException.class,
                () -> EngineConnection.open(
                        master.socket(), new EngineAccount("multimed", "wrong"), Duration.ofSeconds(5)));
        assertFalse(account.toString().contains(account.password()));
        assertFalse(new MariaDbMaster(TestMariaDb.config(directory, Map.of()))
                .account()
                .password()
                .equals(account.password()));
    }

    @Test
    void recoversWhatWasCommittedBeforeItWasKilled() throws Exception {
        CompletableFuture<String> crash = new CompletableFuture<>();
        start(crash::complete);
        try (EngineConnection root = TestMariaDb.root(master)) {
            root.execute("SET sql_log_bin = 0");
            root.execute("CREATE DATABASE shop");
            root.execute("CREATE TABLE shop.t (i INT PRIMARY KEY) ENGINE = InnoDB");
            root.execute("INSERT INTO shop.t VALUES (1), (2)");
            root.execute("BEGIN");
            root.execute("INSERT INTO shop.t VALUES (3)");
        }
        new ProcessBuilder("kill", "-9", Long.toString(master.pid())).start().waitFor();
        assertTrue(crash.get(20, TimeUnit.SECONDS).contains("(log: " + directory.resolve("master.log") + ")"));
        assertFalse(master.alive());
        start(reason -> {});
        try (EngineConnection root = TestMariaDb.root(master)) {
            assertEquals("2", root.value("SELECT COUNT(*) FROM shop.t"));
        }
    }

    @Test
    void aRequestedEndIsNoCrash() throws Exception {
        CompletableFuture<String> crash = new CompletableFuture<>();
        start(crash::complete);
        master.stop(Duration.ofSeconds(30));
        assertFalse(master.alive());
        Thread.sleep(100);
        assertFalse(crash.isDone());
    }

    @Test
    void endsTheEngineThatAnEarlierRunLeft() throws Exception {
        start(reason -> {});
        long left = master.pid();
        MariaDbMaster second = new MariaDbMaster(TestMariaDb.config(directory, Map.of()));
        second.start(TestMariaDb.PATIENCE, reason -> {});
        assertFalse(ProcessHandle.of(left).map(ProcessHandle::isAlive).orElse(false));
        assertTrue(second.alive());
        second.stop(Duration.ofSeconds(30));
    }

    @Test
    void saysWhyItDoesNotStart() throws Exception {
        master = new MariaDbMaster(TestMariaDb.config(directory, Map.of("no_such_setting", "1")));
        EngineException failed = assertThrows(EngineException.class, () -> start(reason -> {}));
        assertTrue(
                failed.getMessage().startsWith("MariaDB did not start: ")
                        && failed.getMessage().contains("unknown variable 'no_such_setting=1'"),
                failed.getMessage());
        assertFalse(master.alive());
    }

    private void start(java.util.function.Consumer<String> onCrash) throws Exception {
        master.start(TestMariaDb.PATIENCE, onCrash);
    }
}
