package io.multimed.engine.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.engine.embedded.registry.EmbeddedDatabases;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests engines that end under load: acknowledged commits are never lost, and the replicas come back. */
@Tag("slow")
class FaultsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static Replicas open(String engine, int replicas) throws SQLException {
        Replicas opened = new Replicas("jdbc:" + engine + ":mem:" + UUID.randomUUID(), replicas);
        opened.ddl("CREATE TABLE t(id INT PRIMARY KEY, v INT)", "CREATE SEQUENCE q");
        return opened;
    }

    /** Ends the engine as if it had run out of memory. */
    private static void kill(Connection engine) throws SQLException {
        if (engine instanceof JdbcConnection h2) {
            ((SessionLocal) h2.getSession()).getDatabase().shutdownImmediately();
        } else {
            // A statement of a reader must not do this.
            ((org.hsqldb.Session) ((org.hsqldb.jdbc.JDBCConnection) engine).getSession())
                    .getDatabase()
                    .close(org.hsqldb.Database.CLOSEMODE_IMMEDIATELY);
        }
    }

    private static void awaitServing(Replicas replicas) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (replicas.writer.database().nodes().stream()
                .anyMatch(node -> !node.state().equals("serving"))) {
            assertTrue(
                    System.nanoTime() < deadline,
                    replicas.writer.database().nodes().toString());
            Thread.onSpinWait();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void aSatelliteThatFailsIsMadeAnew(String engine) throws Exception {
        try (Replicas replicas = open(engine, 3)) {
            replicas.update("INSERT INTO t VALUES(1, 1)");
            EmbeddedSession reader = replicas.readers.get(0);
            Replica replica = reader.beginRead(true);
            kill(replica.connection());
            SQLException failed =
                    assertThrows(SQLException.class, () -> Replicas.rows(replica.connection(), "SELECT * FROM t"));
            assertInstanceOf(SQLTransactionRollbackException.class, replica.failed(failed));
            replica.endRead();
            assertEquals(1, Replicas.read(reader, "SELECT * FROM t").size());
            replicas.update("INSERT INTO t VALUES(2, 2)");
            awaitServing(replicas);
            replicas.assertIdentical("t");
        }
    }

    @Test
    void aSatelliteMadeAnewHasTheSettingsThatTheDatabaseHasByThen() throws Exception {
        try (Replicas replicas = new Replicas("jdbc:h2:mem:" + UUID.randomUUID() + ";MODE=MySQL", 2)) {
            replicas.ddl("SET MODE Oracle", "SET DEFAULT_NULL_ORDERING HIGH", "CREATE TABLE t(v INT)");
            replicas.update("INSERT INTO t VALUES(1), (NULL)");
            EmbeddedSession reader = replicas.readers.get(0);
            Replica replica = reader.beginRead(true);
            kill(replica.connection());
            replica.failed(new SQLException("killed"));
            replica.endRead();
            awaitServing(replicas);
            assertEquals(List.of("null|"), Replicas.read(reader, "SELECT '' FROM (VALUES(1))"), "as to Oracle");
            assertEquals(List.of("1|"), Replicas.read(reader, "SELECT v FROM t ORDER BY v FETCH FIRST ROW ONLY"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void aReadIsPlacedAnewIfItsSatelliteFailsWhileItIsConnectedTo(String engine) throws Exception {
        try (Replicas replicas = open(engine, 3)) {
            replicas.update("INSERT INTO t VALUES(1, 1)");
            List<Replica> witnesses = new ArrayList<>();
            for (EmbeddedSession reader : replicas.readers) {
                witnesses.add(reader.beginRead(true));
            }
            AtomicBoolean failed = new AtomicBoolean();
            ReplicaListener failsFirst = connection -> {
                if (failed.compareAndSet(false, true)) {
                    kill(connection);
                    // One of them is on that Satellite.
                    witnesses.forEach(witness -> witness.failed(new SQLException("killed")));
                }
            };
            try (EmbeddedSession session =
                    EmbeddedDatabases.connect(replicas.options, replicas.credentials, failsFirst)) {
                assertEquals(List.of("1|"), Replicas.read(session, "SELECT id FROM t"));
            }
            assertTrue(failed.get());
            for (Replica witness : witnesses) {
                witness.endRead();
            }
            awaitServing(replicas);
            replicas.assertIdentical("t");
        }
    }

    /** HSQLDB's Master is copied while no update transaction is open. */
    @Test
    void aSatelliteIsMadeAnewAsSoonAsTheTransactionInTheWayHasEnded() throws Exception {
        try (Replicas replicas = open("hsqldb", 2);
                EmbeddedSession idle = replicas.session()) {
            replicas.ddl("CREATE TABLE o(id INT PRIMARY KEY)");
            idle.autoCommit(false);
            Replicas.update(idle, "INSERT INTO o VALUES(1)");
            EmbeddedSession reader = replicas.readers.get(0);
            Replica replica = reader.beginRead(true);
            kill(replica.connection());
            replica.failed(new SQLException("killed"));
            replica.endRead();
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (replicas.writer.database().nodes().stream()
                    .noneMatch(node -> node.detail().contains("did not end"))) {
                assertTrue(System.nanoTime() < deadline, "copied beside a transaction");
                Thread.onSpinWait();
            }
            replicas.update("INSERT INTO t VALUES(1, 1)");
            idle.commit();
            awaitServing(replicas);
            replicas.assertIdentical("t", "o");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void aMasterInMemoryIsReplaced(String engine) throws Exception {
        try (Replicas replicas = open(engine, 3)) {
            replicas.ddl("CREATE TABLE n(id INT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, v INT)");
            String trigger = engine.equals("h2")
                    ? "CREATE TRIGGER tr AFTER INSERT ON n FOR EACH ROW CALL '" + CountingTrigger.class.getName() + "'"
                    : "CREATE TRIGGER tr AFTER INSERT ON n REFERENCING NEW ROW AS r FOR EACH ROW"
                            + " INSERT INTO t VALUES(1000 + r.id, r.v)";
            replicas.ddl(trigger);
            replicas.update("INSERT INTO n(v) VALUES(1), (2)");
            replicas.writer.autoCommit(false);
            replicas.update("INSERT INTO n(v) VALUES(3)");
            kill(replicas.writer.master());
            SQLException failed = assertThrows(SQLException.class, () -> replicas.update("INSERT INTO n(v) VALUES(4)"));
            assertInstanceOf(SQLTransactionRollbackException.class, failed);
            replicas.writer.autoCommit(true);
            replicas.update("INSERT INTO n(v) VALUES(5)");
            List<String> rows = Replicas.rows(replicas.writer.master(), "SELECT v FROM n");
            assertEquals(List.of("1|", "2|", "5|"), rows);
            List<String> identities = Replicas.rows(replicas.writer.master(), "SELECT id FROM n WHERE v = 5");
            int drawn = engine.equals("h2") ? 3 : 2;
            int identity = Integer.parseInt(identities.get(0).replace("|", ""));
            assertTrue(identity > drawn, "identity values are not given out twice: " + identity);
            List<String> fired = Replicas.rows(replicas.writer.master(), "SELECT v FROM t");
            assertTrue(fired.contains("5|"), "the trigger is back: " + fired);
            awaitServing(replicas);
            replicas.assertIdentical("n", "t");
        }
    }

    /** A trigger that writes to another table for every row. */
    public static final class CountingTrigger implements org.h2.api.Trigger {
        @Override
        public void fire(Connection connection, Object[] before, Object[] now) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute("INSERT INTO t VALUES(" + (1000 + (Integer) now[0]) + ", " + now[1] + ")");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void aCommitThatTheMasterDiedBeforeIsNotAcknowledged(String engine) throws Exception {
        try (Replicas replicas = open(engine, 3)) {
            replicas.writer.autoCommit(false);
            replicas.update("INSERT INTO t VALUES(1, 1)");
            kill(replicas.writer.master());
            assertThrows(SQLTransactionRollbackException.class, replicas.writer::commit);
            replicas.update("INSERT INTO t VALUES(2, 2)");
            replicas.writer.commit();
            assertEquals(List.of("2|"), Replicas.read(replicas.readers.get(0), "SELECT id FROM t"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void aTransactionDoesNotGoOnOnAnotherMaster(String engine) throws Exception {
        try (Replicas replicas = open(engine, 3)) {
            replicas.writer.autoCommit(false);
            replicas.update("INSERT INTO t VALUES(1, 1)");
            kill(replicas.writer.master());
            replicas.readers.get(0).failedOnMaster(new SQLException("killed"));
            assertThrows(SQLTransactionRollbackException.class, () -> replicas.update("INSERT INTO t VALUES(2, 2)"));
            replicas.update("INSERT INTO t VALUES(3, 3)");
            replicas.writer.commit();
            assertEquals(List.of("3|"), Replicas.read(replicas.readers.get(0), "SELECT id FROM t"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void nothingAcknowledgedIsLostUnderLoad(String engine) throws Exception {
        try (Replicas replicas = open(engine, 3)) {
            AtomicBoolean stop = new AtomicBoolean();
            AtomicInteger ids = new AtomicInteger();
            List<Thread> writers = new ArrayList<>();
            List<Integer> acknowledged = java.util.Collections.synchronizedList(new ArrayList<>());
            List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());
            for (int i = 0; i < 3; i++) {
                Thread writer = new Thread(() -> writeAndRead(replicas, stop, ids, acknowledged, failures));
                writer.start();
                writers.add(writer);
            }
            for (int fault = 0; fault < 4; fault++) {
                int until = acknowledged.size() + 300;
                long deadline = System.nanoTime() + PATIENCE.toNanos();
                while (acknowledged.size() < until) {
                    assertTrue(
                            System.nanoTime() < deadline,
                            "stuck after fault " + fault + " " + failures
                                    + replicas.writer.database().nodes());
                    Thread.onSpinWait();
                }
                if (fault % 2 == 0) {
                    Replica replica = replicas.readers.get(fault / 2).beginRead(true);
                    kill(replica.connection());
                    replica.failed(new SQLException("killed"));
                    replica.endRead();
                } else {
                    // Any writer that has the present Master.
                    replicas.writer.beforeUpdate();
                    kill(replicas.writer.master());
                    replicas.writer.failedOnMaster(new SQLException("killed"));
                }
                awaitServing(replicas);
            }
            stop.set(true);
            for (Thread writer : writers) {
                writer.join(PATIENCE.toMillis());
                assertFalse(writer.isAlive());
            }
            assertEquals(List.of(), failures);
            List<String> there = Replicas.read(replicas.readers.get(0), "SELECT id FROM t");
            for (Integer id : acknowledged) {
                assertTrue(there.contains(id + "|"), id + " was acknowledged");
            }
            replicas.assertIdentical("t");
        }
    }

    private static void writeAndRead(
            Replicas replicas,
            AtomicBoolean stop,
            AtomicInteger ids,
            List<Integer> acknowledged,
            List<Throwable> failures) {
        try (EmbeddedSession session = replicas.session()) {
            while (!stop.get()) {
                int id = ids.incrementAndGet();
                try {
                    Replicas.update(session, "INSERT INTO t VALUES(?, 1)", id);
                    acknowledged.add(id);
                    Replica replica = session.beginRead(true);
                    try {
                        assertEquals(
                                1,
                                Replicas.rows(replica.connection(), "SELECT id FROM t WHERE id = " + id)
                                        .size(),
                                "its own commit");
                    } catch (SQLException e) {
                        throw replica.failed(e);
                    } finally {
                        replica.endRead();
                    }
                } catch (java.sql.SQLTransientException e) {
                    // The error says to run it again.
                }
            }
        } catch (Throwable e) {
            failures.add(e);
        }
    }

    @Test
    void aStatementThatFailsOnEveryEngineTakesNoneOutOfRotation() throws Exception {
        try (Replicas replicas = open("h2", 3)) {
            replicas.update("INSERT INTO t VALUES(1, 1)");
            for (EmbeddedSession reader : replicas.readers) {
                Replica replica = reader.beginRead(true);
                SQLException failed = assertThrows(
                        SQLException.class,
                        () -> Replicas.rows(
                                replica.connection(),
                                "SELECT id FROM t WHERE REGEXP_LIKE(REPEAT('a', 1000000 * v), '(a|b)*c')"));
                assertEquals("HY000", failed.getSQLState());
                assertSame(failed, replica.failed(failed));
                assertTrue(replica.usable());
                replica.endRead();
            }
            replicas.assertIdentical("t");
            replicas.assertNoneMadeAnew();
        }
    }

    @Test
    void aPersistentMasterLeavesNothingBehind(@TempDir Path directory) throws Exception {
        String url = "jdbc:h2:file:" + directory.resolve("shop");
        try (Connection plain = DriverManager.getConnection(url, "SA", "");
                Statement statement = plain.createStatement()) {
            statement.execute("CREATE TABLE t(id INT PRIMARY KEY, v VARCHAR)");
            statement.execute("INSERT INTO t SELECT x, 'v' FROM SYSTEM_RANGE(1, 500)");
        }
        try (Replicas replicas = new Replicas(url, 3)) {
            replicas.assertIdentical("t");
            replicas.update("DELETE FROM t WHERE id > 250");
            replicas.assertIdentical("t");
            replicas.assertServing();
        }
        try (Connection plain = DriverManager.getConnection(url, "SA", "");
                Statement statement = plain.createStatement()) {
            statement.execute("INSERT INTO t VALUES(1000, 'written by H2 alone')");
            assertEquals(List.of("251|"), Replicas.rows(plain, "SELECT COUNT(*) FROM t"));
            assertEquals(List.of("0|"), Replicas.rows(plain, "SELECT COUNT(*) FROM INFORMATION_SCHEMA.TRIGGERS"));
        }
        assertTrue(Files.exists(directory.resolve("shop.mv.db")));
    }

    @Test
    void definitionsOfAPersistentMasterLeaveItsSatellitesInStep(@TempDir Path directory) throws Exception {
        try (Replicas replicas = new Replicas("jdbc:h2:file:" + directory.resolve("shop"), 3)) {
            replicas.ddl("CREATE TABLE t(id INT PRIMARY KEY, v INT)", "ALTER TABLE t ADD COLUMN w INT");
            replicas.update("INSERT INTO t VALUES(1, 1, 1)");
            replicas.assertIdentical("t");
            replicas.assertServing();
        }
    }

    /** Only one thread must rebuild it. With two, reads on one engine would have been placed by the position of the other. */
    @RepeatedTest(30)
    void aSatelliteThatFailsWhileThePersistentMasterIsOpenedAgainIsMadeOnce(@TempDir Path directory) throws Exception {
        try (Replicas replicas = new Replicas("jdbc:h2:file:" + directory.resolve("shop"), 3)) {
            replicas.ddl("CREATE TABLE t(id INT PRIMARY KEY, v INT)");
            replicas.update("INSERT INTO t VALUES(1, 1)");
            replicas.update("CHECKPOINT SYNC");
            Replica replica = replicas.readers.get(0).beginRead(true);
            kill(replica.connection());
            SQLException failed =
                    assertThrows(SQLException.class, () -> Replicas.rows(replica.connection(), "SELECT * FROM t"));
            kill(replicas.writer.master());
            replica.failed(failed);
            replica.endRead();
            replicas.update("INSERT INTO t VALUES(2, 2)");
            awaitServing(replicas);
            for (int i = 3; i < 10; i++) {
                replicas.update("INSERT INTO t VALUES(" + i + ", 3)");
                replicas.assertIdentical("t");
            }
        }
    }

    @Test
    void aPersistentMasterIsOpenedAgain(@TempDir Path directory) throws Exception {
        try (Replicas replicas = new Replicas("jdbc:h2:file:" + directory.resolve("shop"), 3)) {
            replicas.ddl("CREATE TABLE t(id INT PRIMARY KEY, v INT)");
            replicas.update("INSERT INTO t VALUES(1, 1)");
            replicas.update("CHECKPOINT SYNC");
            kill(replicas.writer.master());
            replicas.update("INSERT INTO t VALUES(2, 2)");
            replicas.update("INSERT INTO t VALUES(3, 3)");
            replicas.assertIdentical("t");
            assertEquals(
                    3, Replicas.read(replicas.readers.get(0), "SELECT * FROM t").size());
        }
    }

    private static EmbeddedSession session(Replicas replicas, String user, String password) throws SQLException {
        Properties credentials = new Properties();
        credentials.setProperty("user", user);
        credentials.setProperty("password", password);
        return EmbeddedDatabases.connect(replicas.options, credentials, ReplicaListener.NONE);
    }

    /** The user who reopens it need not be the one who opened it first. */
    @Test
    void whoOpensAPersistentMasterAgainGoesOnAsHimself(@TempDir Path directory) throws Exception {
        try (Replicas replicas = new Replicas("jdbc:h2:file:" + directory.resolve("shop"), 2)) {
            replicas.ddl("CREATE USER other PASSWORD 'secret'");
            replicas.update("CHECKPOINT SYNC");
            try (EmbeddedSession other = session(replicas, "OTHER", "secret")) {
                kill(replicas.writer.master());
                assertEquals(List.of("OTHER|"), Replicas.rows(other.liveMaster(), "SELECT CURRENT_USER"));
                assertEquals(List.of("SA|"), Replicas.rows(replicas.writer.liveMaster(), "SELECT CURRENT_USER"));
            }
        }
    }

    @Test
    void aPersistentMasterIsOpenedAgainByWhoKnowsThePasswordAsItIsNow(@TempDir Path directory) throws Exception {
        try (Replicas replicas = new Replicas("jdbc:h2:file:" + directory.resolve("shop"), 2)) {
            replicas.ddl("CREATE TABLE t(id INT PRIMARY KEY)", "ALTER USER SA SET PASSWORD 'new'");
            replicas.update("CHECKPOINT SYNC");
            kill(replicas.writer.master());
            assertThrows(SQLException.class, () -> replicas.update("INSERT INTO t VALUES(1)"));
            try (EmbeddedSession renewed = session(replicas, "SA", "new")) {
                Replicas.update(renewed, "INSERT INTO t VALUES(2)");
                assertEquals(List.of("2|"), Replicas.read(renewed, "SELECT id FROM t"));
                SQLException lockedOut =
                        assertThrows(SQLException.class, () -> replicas.update("INSERT INTO t VALUES(3)"));
                assertEquals("28000", lockedOut.getSQLState());
                assertTrue(replicas.writer.isClosed());
            }
        }
    }
}
