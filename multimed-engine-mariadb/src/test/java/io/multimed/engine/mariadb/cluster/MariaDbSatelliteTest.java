package io.multimed.engine.mariadb.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.engine.mariadb.TestMariaDb;
import io.multimed.engine.mariadb.wire.EngineConnection;
import io.multimed.engine.mariadb.wire.EngineSqlException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A Satellite on real engines, driven by the core's life cycle. */
@Tag("slow")
class MariaDbSatelliteTest {
    private static SatelliteFixture fixture;

    @BeforeAll
    static void start() throws Exception {
        fixture = new SatelliteFixture(Map.of());
        try (EngineConnection root = fixture.rootOfMaster()) {
            root.execute("CREATE DATABASE shop");
            root.execute(
                    "CREATE TABLE shop.t (i INT PRIMARY KEY AUTO_INCREMENT, v VARCHAR(100), f FLOAT) ENGINE = InnoDB");
            root.execute("CREATE TABLE shop.old (i INT PRIMARY KEY, v VARCHAR(100)) ENGINE = MyISAM");
            root.execute("INSERT INTO shop.t (v, f) SELECT seq, RAND() FROM shop.seq_1_to_5000");
            root.execute("INSERT INTO shop.old SELECT seq, seq FROM shop.seq_1_to_1000");
            root.execute("CREATE USER reader@localhost IDENTIFIED BY 'secret'");
            root.execute("GRANT SELECT ON shop.* TO reader@localhost");
        }
        // The copy is made while clients write.
        try (Writers writers = new Writers(4)) {
            fixture.supervisor.begin();
            fixture.awaitServing();
            writers.end();
        }
    }

    @AfterAll
    static void end() throws Exception {
        fixture.end();
    }

    /** Clients that write to the Master. */
    private static final class Writers implements AutoCloseable {
        private final AtomicBoolean ended = new AtomicBoolean();
        private final ExecutorService threads = Executors.newCachedThreadPool();
        private final List<Future<?>> writers = new ArrayList<>();

        Writers(int count) {
            for (int i = 0; i < count; i++) {
                int number = i;
                writers.add(threads.submit(() -> {
                    write(number);
                    return null;
                }));
            }
        }

        private void write(int number) throws Exception {
            try (EngineConnection root = fixture.rootOfMaster()) {
                for (int i = 0; !ended.get(); i++) {
                    root.execute("BEGIN");
                    root.execute("INSERT INTO shop.t (v, f) VALUES ('" + number + " " + i + "', RAND())");
                    root.execute("UPDATE shop.t SET v = CONCAT(v, 'x'), f = RAND() WHERE i = "
                            + (1 + (number * 1237 + i * 7) % 5000));
                    root.execute(i % 10 == 9 ? "ROLLBACK" : "COMMIT");
                    if (i % 5 == 0) {
                        root.execute("REPLACE INTO shop.old VALUES (" + (number * 1000 + i % 1000) + ", '" + i + "')");
                    }
                }
            }
        }

        void end() throws Exception {
            ended.set(true);
            for (Future<?> writer : writers) {
                writer.get(30, TimeUnit.SECONDS);
            }
        }

        @Override
        public void close() {
            ended.set(true);
            threads.shutdownNow();
        }
    }

    private static String checksums(EngineConnection connection) throws Exception {
        return connection.query("CHECKSUM TABLE shop.t, shop.old EXTENDED").toString()
                + connection.query("SELECT COUNT(*), SUM(f) FROM shop.t")
                + connection.query(
                        "SELECT user, host, priv FROM mysql.global_priv WHERE user <> 'multimed' ORDER BY 1, 2");
    }

    private static void assertAlike() throws Exception {
        fixture.awaitFresh();
        try (EngineConnection master = fixture.rootOfMaster();
                EngineConnection satellite = fixture.rootOfSatellite()) {
            assertEquals(checksums(master), checksums(satellite));
        }
    }

    @Test
    void aCopyMadeUnderLoadIsTheMasterAtOnePosition() throws Exception {
        assertAlike();
        try (EngineConnection satellite = fixture.rootOfSatellite()) {
            assertEquals(
                    "[[shop.t, check, status, OK], [shop.old, check, status, OK]]",
                    satellite.query("CHECK TABLE shop.t, shop.old").toString());
        }
    }

    @Test
    void aReadThatWaitsForTheFloorSeesEachCommitBefore() throws Exception {
        try (EngineConnection master = fixture.rootOfMaster();
                EngineConnection satellite = fixture.rootOfSatellite();
                Writers load = new Writers(2)) {
            master.execute("CREATE TABLE shop.counter (n INT) ENGINE = InnoDB");
            master.execute("INSERT INTO shop.counter VALUES (0)");
            for (int i = 1; i <= 200; i++) {
                master.execute("UPDATE shop.counter SET n = " + i);
                fixture.awaitFresh();
                assertEquals(Integer.toString(i), satellite.value("SELECT n FROM shop.counter"));
            }
            load.end();
            master.execute("DROP TABLE shop.counter");
        }
        assertAlike();
    }

    @Test
    void nothingReachesASatelliteThatTheFloorDoesNotCover() throws Exception {
        assertAlike();
        long floor = fixture.masterLog.floor();
        fixture.relay.withdraw();
        try (Writers waiting = new Writers(3)) {
            // The commits are in the binary log, and other replicas could have them.
            TestMariaDb.await("commits wait", () -> {
                try (EngineConnection root = fixture.rootOfMaster()) {
                    return !root.status("Rpl_semi_sync_master_wait_sessions").equals("0");
                }
            });
            Thread.sleep(200);
            try (EngineConnection satellite = fixture.rootOfSatellite()) {
                assertEquals("0-1-" + floor, satellite.value("SELECT @@gtid_slave_pos"));
            }
            fixture.relay.resume();
            waiting.end();
        }
        assertTrue(fixture.node.forwarded() >= floor);
        assertAlike();
    }

    @Test
    void aSatelliteWritesNothing() throws Exception {
        try (EngineConnection satellite = fixture.rootOfSatellite()) {
            EngineSqlException refused =
                    assertThrows(EngineSqlException.class, () -> satellite.execute("DELETE FROM shop.t"));
            assertEquals(1792, refused.code());
            assertEquals("1", satellite.value("SELECT @@skip_networking"));
        }
    }

    @Test
    void schemaAccountsAndXaTransactionsArrive() throws Exception {
        try (EngineConnection master = fixture.rootOfMaster();
                EngineConnection satellite = fixture.rootOfSatellite()) {
            master.execute("CREATE TABLE shop.made (i INT PRIMARY KEY, b BLOB) ENGINE = InnoDB");
            master.execute("XA START 'x'");
            master.execute("INSERT INTO shop.made VALUES (1, REPEAT('b', 60000))");
            master.execute("XA END 'x'");
            master.execute("XA PREPARE 'x'");
            fixture.awaitFresh();
            assertEquals("0", satellite.value("SELECT COUNT(*) FROM shop.made"));
            master.execute("XA COMMIT 'x'");
            master.execute("ALTER TABLE shop.made ADD COLUMN c INT DEFAULT 7");
            master.execute("CREATE USER late@localhost");
            master.execute("GRANT SELECT ON shop.* TO late@localhost");
            fixture.awaitFresh();
            assertEquals("7", satellite.value("SELECT c FROM shop.made"));
            assertEquals("1", satellite.value("SELECT COUNT(*) FROM mysql.global_priv WHERE user = 'late'"));
            master.execute("DROP USER late@localhost");
            master.execute("DROP TABLE shop.made");
        }
        assertAlike();
    }

    @Test
    void aSatelliteThatDiesIsCopiedAnew() throws Exception {
        try (Writers load = new Writers(2)) {
            long pid = fixture.satellite.pid();
            fixture.history.clear();
            new ProcessBuilder("kill", "-9", Long.toString(pid)).start().waitFor();
            TestMariaDb.await("out of rotation", () -> !fixture.node.serving() || fixture.satellite.pid() != pid);
            TestMariaDb.await("again", () -> fixture.node.serving() && fixture.satellite.pid() != pid);
            load.end();
        }
        assertFalse(fixture.history.isEmpty());
        assertAlike();
    }

    /** Writers would wait behind a copy that waits. */
    @Test
    void aCopyDoesNotWaitForLongForThoseWhoLockTables() throws Exception {
        try (EngineConnection holder = fixture.rootOfMaster();
                EngineConnection writer = fixture.rootOfMaster()) {
            holder.execute("LOCK TABLES shop.old WRITE");
            fixture.history.clear();
            new ProcessBuilder("kill", "-9", Long.toString(fixture.satellite.pid()))
                    .start()
                    .waitFor();
            TestMariaDb.await("a copy gives up", () -> {
                writer.execute("INSERT INTO shop.t (v) VALUES ('goes on')");
                return fixture.history.toString().contains("copy failed");
            });
            assertTrue(fixture.history.toString().contains("Lock wait timeout"), fixture.history.toString());
            holder.execute("UNLOCK TABLES");
            fixture.awaitServing();
        }
        assertAlike();
    }
}
