package io.multimed.engine.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.mvstore.db.MVTable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that changes in place, which are made on H2 replicas without readers, cannot be noticed. */
@Tag("slow")
class H2InPlaceTest {
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(3);
    private static final int ENOUGH_READS = 100;

    private Replicas replicas;

    @BeforeEach
    void open() throws SQLException {
        replicas = new Replicas("jdbc:h2:mem:" + UUID.randomUUID(), 2);
    }

    @AfterEach
    void close() throws Exception {
        replicas.close();
    }

    private static void end(Connection engine) {
        ((SessionLocal) ((JdbcConnection) engine).getSession()).getDatabase().shutdownImmediately();
    }

    private void awaitServing() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (replicas.writer.database().nodes().stream()
                .anyMatch(node -> !node.state().equals("serving"))) {
            assertTrue(System.nanoTime() - deadline < 0, "made anew");
            Thread.onSpinWait();
        }
    }

    /** Short reads, because they begin more often while a change is being applied. */
    @Test
    void aReadSeesAllOfATransactionOrNothing() throws Exception {
        replicas.ddl("CREATE TABLE debit(id INT PRIMARY KEY, v INT)", "CREATE TABLE credit(id INT PRIMARY KEY, v INT)");
        replicas.update("INSERT INTO debit SELECT X, 0 FROM SYSTEM_RANGE(1, 50)");
        replicas.update("INSERT INTO credit SELECT X, 0 FROM SYSTEM_RANGE(1, 50)");
        long end = System.nanoTime() + LONG_ENOUGH.toNanos();
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try {
            Callable<Integer> reader = () -> {
                int reads = 0;
                try (EmbeddedSession session = replicas.session()) {
                    while (System.nanoTime() < end || reads < ENOUGH_READS) {
                        assertEquals(
                                List.of("0|"),
                                Replicas.read(
                                        session,
                                        "SELECT d.v + c.v FROM debit d, credit c WHERE d.id = 1 AND c.id = 1"));
                        assertEquals(
                                List.of("0|"),
                                Replicas.read(
                                        session, "SELECT (SELECT SUM(v) FROM debit) + (SELECT SUM(v) FROM credit)"));
                        reads++;
                    }
                }
                return reads;
            };
            List<Future<Integer>> readers =
                    Stream.generate(() -> threads.submit(reader)).limit(3).toList();
            replicas.writer.autoCommit(false);
            while (readers.stream().anyMatch(each -> !each.isDone())) {
                replicas.update("UPDATE debit SET v = v - 1");
                replicas.update("UPDATE credit SET v = v + 1");
                replicas.writer.commit();
            }
            for (Future<Integer> each : readers) {
                assertTrue(each.get() >= ENOUGH_READS);
            }
        } finally {
            threads.shutdown();
        }
        replicas.writer.autoCommit(true);
        replicas.assertIdentical("debit");
        replicas.assertIdentical("credit");
    }

    @Test
    void aSnapshotStaysAsItIsWhileOthersReadOn() throws SQLException {
        replicas.ddl("CREATE TABLE t(id INT PRIMARY KEY, v INT)");
        replicas.update("INSERT INTO t VALUES(1, 0)");
        EmbeddedSession first = replicas.readers.get(0);
        try (EmbeddedSession second = replicas.session()) {
            Replica snapshot = first.beginRead(false);
            assertEquals(List.of("0|"), Replicas.rows(snapshot.connection(), "SELECT v FROM t"));
            for (int i = 1; i <= 20; i++) {
                replicas.update("UPDATE t SET v = ?", i);
                assertEquals(List.of(i + "|"), Replicas.read(second, "SELECT v FROM t"));
                assertEquals(List.of("0|"), Replicas.rows(snapshot.connection(), "SELECT v FROM t"));
            }
            snapshot.endRead();
            assertEquals(List.of("20|"), Replicas.read(first, "SELECT v FROM t"));
        }
    }

    @Test
    void keysAndUniqueValuesMayChangePlaces() throws SQLException {
        replicas.ddl("CREATE TABLE t(id INT PRIMARY KEY, u INT UNIQUE, v VARCHAR(10))", "CREATE INDEX iv ON t(v)");
        replicas.update("INSERT INTO t SELECT X, X, 'v' || X FROM SYSTEM_RANGE(1, 10)");
        for (String sql : List.of(
                "UPDATE t SET id = 11 - id",
                "UPDATE t SET u = 11 - u",
                "UPDATE t SET id = id + 100 WHERE id < 4",
                "UPDATE t SET v = NULL WHERE id IN (5, 101)",
                "DELETE FROM t WHERE id IN (6, 102)",
                "INSERT INTO t VALUES(6, NULL, 'v7'), (102, NULL, 'v7')")) {
            replicas.update(sql);
            replicas.assertIdentical("t");
            EmbeddedSession reader = replicas.readers.get(0);
            assertEquals(
                    Replicas.read(reader, "SELECT * FROM t WHERE COALESCE(v, '') = 'v7'"),
                    Replicas.read(reader, "SELECT * FROM t WHERE v = 'v7'"),
                    sql);
            assertEquals(
                    Replicas.read(reader, "SELECT id, u FROM t WHERE u + 0 BETWEEN 3 AND 8"),
                    Replicas.read(reader, "SELECT id, u FROM t WHERE u BETWEEN 3 AND 8"),
                    sql);
        }
    }

    /** A rebuilt replica has the primary key from the start, so its rows are in other places than the Master's. */
    @Test
    void keysMayChangePlacesThatAreNoneOnTheMaster() throws Exception {
        replicas.ddl("CREATE TABLE t(id INT NOT NULL, v INT)");
        replicas.update("INSERT INTO t SELECT X, X FROM SYSTEM_RANGE(1, 10)");
        replicas.ddl("ALTER TABLE t ADD PRIMARY KEY(id)");
        EmbeddedSession reader = replicas.readers.get(0);
        Replica replica = reader.beginRead(true);
        end(replica.connection());
        replica.failed(new SQLException("ended"));
        replica.endRead();
        awaitServing();
        for (String sql :
                List.of("UPDATE t SET id = 11 - id", "UPDATE t SET id = id + 1", "DELETE FROM t WHERE id = 5")) {
            replicas.update(sql);
            replicas.assertIdentical("t");
            assertEquals(List.of("7|"), Replicas.read(reader, "SELECT MAX(id) FROM t WHERE id = 7"), sql);
        }
    }

    @Test
    void aReplicaThatFailsAmidAWriteSetIsReadNoMore() throws Exception {
        replicas.ddl("CREATE TABLE a(v INT)", "CREATE TABLE b(v INT)");
        replicas.update("INSERT INTO a VALUES(0)");
        replicas.update("INSERT INTO b VALUES(0)");
        EmbeddedSession reader = replicas.readers.get(0);
        Replica replica = reader.beginRead(true);
        SessionLocal there = (SessionLocal) ((JdbcConnection) replica.connection()).getSession();
        ((MVTable) there.getDatabase().getMainSchema().getTableOrView(there, "B"))
                .getScanIndex(there)
                .truncate(there);
        there.commit(false);
        replica.endRead();
        replicas.writer.autoCommit(false);
        replicas.update("UPDATE a SET v = 1");
        replicas.update("UPDATE b SET v = 1");
        replicas.writer.commit();
        replicas.writer.autoCommit(true);
        Replica next = reader.beginRead(true);
        assertEquals(List.of("1|"), Replicas.rows(next.connection(), "SELECT v FROM b"));
        next.endRead();
        awaitServing();
        assertEquals(List.of("1|"), Replicas.read(reader, "SELECT v FROM a"));
        assertEquals(
                List.of(1, 2),
                replicas.writer.database().nodes().stream()
                        .map(EmbeddedNodeStatus::engines)
                        .toList());
    }

    @Test
    void aResultThatTheEngineHasKeptIsNotGivenOnceItIsOutdated() throws SQLException {
        replicas.ddl("CREATE TABLE t(id INT PRIMARY KEY, v INT)");
        replicas.update("INSERT INTO t VALUES(1, 0)");
        Replica replica = replicas.readers.get(0).beginRead(true);
        try (PreparedStatement same = replica.connection().prepareStatement("SELECT SUM(v) FROM t")) {
            replica.endRead();
            for (int i = 0; i < 20; i++) {
                replicas.update("UPDATE t SET v = ?", i);
                Replica again = replicas.readers.get(0).beginRead(true);
                assertSame(replica.connection(), again.connection());
                try (ResultSet result = same.executeQuery()) {
                    result.next();
                    assertEquals(i, result.getInt(1));
                }
                again.endRead();
            }
        }
    }

    @Test
    void statisticsFollowTheChanges() throws SQLException {
        replicas.ddl("CREATE TABLE t(id INT PRIMARY KEY, v INT)", "CREATE INDEX iv ON t(v)");
        for (int i = 0; i < 60; i++) {
            replicas.update("INSERT INTO t SELECT ? + X, 1 FROM SYSTEM_RANGE(1, 100)", i * 100);
            assertEquals(List.of("1|"), Replicas.read(replicas.readers.get(0), "SELECT v FROM t WHERE id = 1"));
        }
        assertEquals(
                List.of("1|"),
                Replicas.read(
                        replicas.readers.get(0),
                        "SELECT SELECTIVITY FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_NAME = 'T' AND COLUMN_NAME = 'V'"));
    }

    @Test
    void asTheMasterItGivesRowsKeysThatNoRowHas() throws Exception {
        replicas.ddl("CREATE TABLE t(v INT)");
        for (int i = 0; i < 5; i++) {
            replicas.update("INSERT INTO t VALUES(?)", i);
            assertEquals(
                    i + 1,
                    Replicas.read(replicas.readers.get(0), "SELECT v FROM t").size());
        }
        end(replicas.writer.master());
        try {
            replicas.update("INSERT INTO t VALUES(5)");
        } catch (SQLException e) {
            replicas.update("INSERT INTO t VALUES(5)");
        }
        assertEquals(
                List.of("6|6|"),
                Replicas.rows(replicas.writer.master(), "SELECT COUNT(*), COUNT(DISTINCT _ROWID_) FROM t"));
    }
}
