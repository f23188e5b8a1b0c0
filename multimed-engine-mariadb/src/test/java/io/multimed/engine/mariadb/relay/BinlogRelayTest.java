package io.multimed.engine.mariadb.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.MasterLog;
import io.multimed.core.propagation.MasterVisibility;
import io.multimed.engine.mariadb.GtidPosition;
import io.multimed.engine.mariadb.TestMariaDb;
import io.multimed.engine.mariadb.cluster.MariaDbMaster;
import io.multimed.engine.mariadb.wire.EngineConnection;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The relay on a real Master: nothing is acknowledged or visible that it has not published. */
@Tag("slow")
class BinlogRelayTest {
    private static Path directory;
    private static MariaDbMaster master;

    private final ExecutorService clients = Executors.newCachedThreadPool();
    private final MasterLog masterLog = new MasterLog(new MasterVisibility());
    private final FreshnessGate gate = new FreshnessGate(() -> {});
    private final ConcurrentLinkedQueue<String> unusable = new ConcurrentLinkedQueue<>();
    /** Stops the relay's thread between its publication and its acknowledgement. */
    private final AtomicBoolean frozen = new AtomicBoolean();

    private BinlogRelay relay;
    private SemiSyncWatch watch;
    private EngineConnection root;

    @BeforeAll
    static void startMaster() throws Exception {
        directory = TestMariaDb.directory();
        master = TestMariaDb.master(directory);
        master.start(TestMariaDb.PATIENCE, reason -> {});
        try (EngineConnection root = TestMariaDb.root(master)) {
            root.execute("SET sql_log_bin = 0");
            root.execute("CREATE DATABASE shop");
            root.execute("CREATE TABLE shop.t (i INT PRIMARY KEY AUTO_INCREMENT, v LONGTEXT) ENGINE = InnoDB");
        }
    }

    @AfterAll
    static void endMaster() throws Exception {
        master.kill();
        TestMariaDb.delete(directory);
    }

    @BeforeEach
    void startRelay() throws Exception {
        relay = relay(masterLog);
        watch = new SemiSyncWatch(master::connect, masterLog, gate);
        relay.start();
        watch.start();
        TestMariaDb.await("floor", () -> masterLog.floor() != MasterLog.UNKNOWN);
        root = TestMariaDb.root(master);
    }

    @AfterEach
    void endRelay() {
        frozen.set(false);
        watch.close();
        relay.close();
        root.close();
        clients.shutdownNow();
        assertEquals(List.of(), List.copyOf(unusable));
    }

    private BinlogRelay relay(MasterLog log) {
        return new BinlogRelay(
                this::connect,
                log,
                gate,
                new BinlogListener() {
                    @Override
                    public void masterConnected() {}

                    @Override
                    public void masterLost(String reason) {}

                    @Override
                    public void masterUnusable(String reason) {
                        unusable.add(reason);
                    }
                },
                () -> {
                    while (frozen.get()) {
                        Thread.onSpinWait();
                    }
                });
    }

    private EngineConnection connect() throws java.io.IOException {
        if (frozen.get()) {
            throw new java.io.IOException("frozen");
        }
        return master.connect();
    }

    @Test
    void aCommitIsNeitherAcknowledgedNorVisibleWithoutTheRelay() throws Exception {
        long before = rows();
        relay.withdraw();
        assertEquals(MasterLog.UNKNOWN, masterLog.floor());
        Future<?> commit = clients.submit(() -> insert("waits"));
        TestMariaDb.await("waits", () -> "1".equals(root.status("Rpl_semi_sync_master_wait_sessions")));
        assertWaits(commit);
        assertEquals(before, rows());
        relay.resume();
        commit.get(20, TimeUnit.SECONDS);
        assertEquals(before + 1, rows());
        TestMariaDb.await("floor", () -> masterLog.floor() != MasterLog.UNKNOWN);
        assertEquals(position(), masterLog.floor());
    }

    /** After a restart of Multimed a client past it may be faster than the relay, and perhaps nobody commits anything after it. */
    @Test
    void theFirstConnectionEndsTheWaitOfACommitThatIsInTheBinaryLogAlready() throws Exception {
        long before = rows();
        relay.close();
        Future<?> commit = clients.submit(() -> insert("waits"));
        TestMariaDb.await("waits", () -> "1".equals(root.status("Rpl_semi_sync_master_wait_sessions")));
        assertWaits(commit);
        MasterLog log = new MasterLog(new MasterVisibility());
        relay = relay(log);
        relay.start();
        commit.get(20, TimeUnit.SECONDS);
        assertEquals(before + 1, rows());
        TestMariaDb.await("floor", () -> log.floor() != MasterLog.UNKNOWN);
        assertEquals(position(), log.floor());
    }

    @Test
    void commitsWaitForAFrozenRelayAndFreezeNothingElse() throws Exception {
        frozen.set(true);
        // This commit is published and acknowledged; the relay then stands still.
        insert("the last one");
        long before = rows();
        List<Future<?>> commits = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            commits.add(clients.submit(() -> insert("waits")));
        }
        Thread.sleep(300);
        for (Future<?> commit : commits) {
            assertWaits(commit);
        }
        assertEquals(before, rows());
        frozen.set(false);
        for (Future<?> commit : commits) {
            commit.get(20, TimeUnit.SECONDS);
        }
        assertEquals(before + 3, rows());
        assertEquals(position(), masterLog.floor());
    }

    @Test
    void theFloorCoversEachCommitOfTwentyClientsWhenItIsAcknowledged() throws Exception {
        List<Future<Long>> all = new ArrayList<>();
        for (int client = 0; client < 20; client++) {
            all.add(clients.submit(() -> {
                long last = 0;
                try (EngineConnection own = TestMariaDb.root(master)) {
                    for (int i = 0; i < 50; i++) {
                        own.execute("INSERT INTO shop.t (v) VALUES ('" + i + "')");
                        long scn = GtidPosition.parse(own.value("SELECT @@last_gtid"))
                                .scn();
                        assertTrue(masterLog.floor() >= scn, masterLog.floor() + " < " + scn);
                        assertTrue(scn > last, scn + " after " + last);
                        last = scn;
                    }
                }
                return last;
            }));
        }
        long greatest = 0;
        for (Future<Long> one : all) {
            greatest = Math.max(greatest, one.get(60, TimeUnit.SECONDS));
        }
        assertEquals(greatest, masterLog.floor());
        assertEquals(position(), masterLog.floor());
    }

    @Test
    void everyKindOfTransactionIsPublishedBeforeItIsAcknowledged() throws Exception {
        long schema = relay.schemaChanges();
        for (String statement : List.of(
                "CREATE TABLE shop.kinds (i INT PRIMARY KEY, v INT) ENGINE = InnoDB",
                "CREATE TABLE shop.old (i INT) ENGINE = MyISAM",
                "INSERT INTO shop.old VALUES (1), (2)",
                "INSERT INTO shop.kinds VALUES (1, 1)",
                "UPDATE shop.kinds SET v = 2",
                "SET @v = 3",
                "CREATE TABLE shop.made AS SELECT @v AS v",
                "CREATE SEQUENCE shop.numbers",
                "SELECT NEXTVAL(shop.numbers)",
                "CREATE FUNCTION shop.f() RETURNS INT DETERMINISTIC RETURN 1",
                "CREATE USER someone@localhost",
                "GRANT SELECT ON shop.* TO someone@localhost",
                "ANALYZE TABLE shop.kinds",
                "TRUNCATE shop.kinds",
                "SET SESSION binlog_format = STATEMENT",
                "INSERT INTO shop.kinds VALUES (5, 5)",
                "INSERT INTO shop.old VALUES (5)",
                "SET SESSION binlog_format = ROW",
                "XA START 'a'",
                "INSERT INTO shop.kinds VALUES (6, 6)",
                "XA END 'a'",
                "XA PREPARE 'a'",
                "XA COMMIT 'a'",
                "DROP TABLE shop.kinds, shop.old, shop.made",
                "DROP SEQUENCE shop.numbers",
                "DROP FUNCTION shop.f",
                "DROP USER someone@localhost")) {
            root.execute(statement);
            assertEquals(position(), masterLog.floor(), statement);
        }
        assertTrue(relay.schemaChanges() - schema >= 12, "schema changes: " + (relay.schemaChanges() - schema));
    }

    @Test
    void whatIsRolledBackHasNoPlace() throws Exception {
        long floor = masterLog.floor();
        root.execute("BEGIN");
        root.execute("INSERT INTO shop.t (v) VALUES ('gone')");
        root.execute("ROLLBACK");
        assertEquals(floor, masterLog.floor());
        root.execute("CREATE TABLE shop.mixed (i INT) ENGINE = MyISAM");
        root.execute("BEGIN");
        root.execute("INSERT INTO shop.t (v) VALUES ('gone')");
        root.execute("INSERT INTO shop.mixed VALUES (1)");
        root.execute("ROLLBACK");
        assertEquals(position(), masterLog.floor());
        root.execute("DROP TABLE shop.mixed");
    }

    @Test
    void aTransactionOfManyMegabytesInOneEventAndInManyIsOne() throws Exception {
        root.execute("SET GLOBAL max_allowed_packet = 64 << 20");
        try (EngineConnection own = TestMariaDb.root(master)) {
            own.execute("BEGIN");
            own.execute("INSERT INTO shop.t (v) VALUES (REPEAT('x', 20000000))");
            own.execute("INSERT INTO shop.t (v) SELECT REPEAT('y', 1000) FROM shop.seq_1_to_2000");
            long floor = masterLog.floor();
            own.execute("INSERT INTO shop.t (v) VALUES (REPEAT('z', 17000000))");
            assertEquals(floor, masterLog.floor());
            own.execute("COMMIT");
            assertEquals(floor + 1, masterLog.floor());
        }
        root.execute("DELETE FROM shop.t");
        assertEquals(position(), masterLog.floor());
    }

    @Test
    void whileCommitsDoNotWaitThereIsNoFloor() throws Exception {
        root.execute("SET GLOBAL rpl_semi_sync_master_enabled = 0");
        TestMariaDb.await("doubt", () -> masterLog.floor() == MasterLog.UNKNOWN);
        insert("nobody waits");
        assertEquals(MasterLog.UNKNOWN, masterLog.floor());
        root.execute("SET GLOBAL rpl_semi_sync_master_enabled = 1");
        TestMariaDb.await("floor", () -> masterLog.floor() != MasterLog.UNKNOWN);
        assertEquals(position(), masterLog.floor());
        insert("waits again");
        assertEquals(position(), masterLog.floor());
    }

    @Test
    void aCommitWhoseSessionIsKilledIsDoubted() throws Exception {
        relay.withdraw();
        CompletableFuture<String> id = new CompletableFuture<>();
        Future<?> commit = clients.submit(() -> {
            try (EngineConnection own = TestMariaDb.root(master)) {
                id.complete(own.value("SELECT CONNECTION_ID()"));
                own.execute("INSERT INTO shop.t (v) VALUES ('killed')");
            }
            return null;
        });
        TestMariaDb.await("waits", () -> "1".equals(root.status("Rpl_semi_sync_master_wait_sessions")));
        long doubts = masterLog.doubts();
        root.execute("KILL " + id.get());
        TestMariaDb.await("end", commit::isDone);
        TestMariaDb.await("doubt", () -> masterLog.doubts() > doubts);
        relay.resume();
        TestMariaDb.await("floor", () -> masterLog.floor() != MasterLog.UNKNOWN);
        assertEquals(position(), masterLog.floor());
    }

    @Test
    void goesOnAfterTheMasterWasKilledAndStartedAgain() throws Exception {
        insert("before");
        long before = masterLog.floor();
        relay.withdraw();
        Future<?> lost = clients.submit(() -> insert("in the binary log only"));
        TestMariaDb.await("waits", () -> "1".equals(root.status("Rpl_semi_sync_master_wait_sessions")));
        master.kill();
        assertEquals(MasterLog.UNKNOWN, masterLog.floor());
        TestMariaDb.await("end", lost::isDone);
        master.start(TestMariaDb.PATIENCE, reason -> {});
        root.close();
        root = TestMariaDb.root(master);
        relay.resume();
        TestMariaDb.await("floor", () -> masterLog.floor() != MasterLog.UNKNOWN);
        assertEquals(position(), masterLog.floor());
        assertNotEquals(before, masterLog.floor());
        insert("after");
        assertEquals(position(), masterLog.floor());
    }

    @Test
    void followsTheBinaryLogFromFileToFile() throws Exception {
        for (int i = 0; i < 3; i++) {
            root.execute("FLUSH BINARY LOGS");
            insert("in the next file");
            assertEquals(position(), masterLog.floor());
        }
    }

    /** The Master may keep a connection that was this short for ever. */
    @Test
    void comesBackAfterConnectionsThatWereVeryShort() throws Exception {
        for (int i = 0; i < 30; i++) {
            relay.withdraw();
            relay.resume();
            TestMariaDb.await("floor", () -> masterLog.floor() != MasterLog.UNKNOWN);
        }
        insert("after all");
        assertEquals(position(), masterLog.floor());
    }

    private Void insert(String value) throws Exception {
        try (EngineConnection own = TestMariaDb.root(master)) {
            own.execute("INSERT INTO shop.t (v) VALUES ('" + value + "')");
        }
        return null;
    }

    private long rows() throws Exception {
        return Long.parseLong(root.value("SELECT COUNT(*) FROM shop.t"));
    }

    private long position() throws Exception {
        return GtidPosition.parse(root.value("SELECT @@GLOBAL.gtid_binlog_pos")).scn();
    }

    private static void assertWaits(Future<?> commit) throws Exception {
        try {
            commit.get(200, TimeUnit.MILLISECONDS);
            assertFalse(true, "acknowledged without the relay");
        } catch (TimeoutException e) {
            // As it must be.
            return;
        }
    }
}
