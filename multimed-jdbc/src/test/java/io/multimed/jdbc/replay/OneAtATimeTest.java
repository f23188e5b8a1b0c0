package io.multimed.jdbc.replay;

import static io.multimed.jdbc.Sql.execute;
import static io.multimed.jdbc.Sql.value;
import static io.multimed.jdbc.replay.RepeatedDatabase.assertEqualEverywhere;
import static io.multimed.jdbc.replay.RepeatedDatabase.connect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.SQLTransientException;
import java.sql.Statement;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests update transactions of an engine whose order of commits is no serial order: it has snapshots, and no locks. */
@Tag("slow")
class OneAtATimeTest {
    private static final long DEADLINE_SECONDS = 60;

    @TempDir
    Path directory;

    private String url;
    private Connection first;
    private Connection second;

    @BeforeEach
    void open() throws SQLException {
        url = RepeatedDatabase.DUCKDB.url(directory, 3);
        first = connect(url);
        second = connect(url);
        execute(first, "CREATE TABLE T(A INT, B INT)", "INSERT INTO T VALUES (1, 0), (2, 0)", "CREATE TABLE U(A INT)");
    }

    @AfterEach
    void close() throws SQLException {
        if (first != null) {
            first.close();
            second.close();
        }
    }

    /** Starts executing statements in a thread. Returns once that thread waits. */
    private static FutureTask<Void> waiting(Connection connection, String... statements) throws InterruptedException {
        FutureTask<Void> task = new FutureTask<>(() -> {
            execute(connection, statements);
            return null;
        });
        Thread thread = new Thread(task, "waiting");
        thread.start();
        long begun = System.nanoTime();
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            assertTrue(!task.isDone(), "it did not wait");
            assertTrue(
                    System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS),
                    "it neither ends nor waits");
            Thread.sleep(1);
        }
        return task;
    }

    private static void assertDone(FutureTask<Void> task) throws Exception {
        task.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void anUpdateWaitsForTheEndOfTheOneBefore() throws Exception {
        first.setAutoCommit(false);
        execute(first, "UPDATE T SET B = 1 WHERE A = 1");
        // The engine alone would let both run and refuse the second one. Here neither has to be repeated.
        FutureTask<Void> byItself = waiting(second, "UPDATE T SET B = B + 1 WHERE A = 1");
        first.commit();
        assertDone(byItself);
        second.setAutoCommit(false);
        execute(second, "UPDATE T SET B = B + 1 WHERE A = 1");
        FutureTask<Void> transaction = waiting(first, "UPDATE T SET B = B * 10 WHERE A = 1");
        second.rollback();
        assertDone(transaction);
        first.commit();
        first.setAutoCommit(true);
        assertEquals("20", value(first, "SELECT B FROM T WHERE A = 1"));
        assertEqualEverywhere(url, 3, "T");
    }

    @Test
    void readsOnSatellitesDoNotWait() throws Exception {
        first.setAutoCommit(false);
        execute(first, "UPDATE T SET B = 1");
        FutureTask<Void> next = waiting(second, "UPDATE T SET B = B + 1");
        try (Connection reader = connect(url)) {
            assertEquals("0", value(reader, "SELECT SUM(B) FROM T"));
            assertEquals("satellite: a read by itself", value(reader, "SHOW multimed.route"));
            reader.setReadOnly(true);
            reader.setAutoCommit(false);
            assertEquals("0", value(reader, "SELECT SUM(B) FROM T"));
            assertEquals("satellite: a read-only transaction", value(reader, "SHOW multimed.route"));
            first.commit();
            assertDone(next);
            assertEquals("0", value(reader, "SELECT SUM(B) FROM T"), "one snapshot");
            reader.commit();
            assertEquals("4", value(reader, "SELECT SUM(B) FROM T"));
        }
    }

    /** Other transactions do not wait for it either. */
    @Test
    void aTransactionThatOnlyReadsOnTheMasterDoesNotWait() throws Exception {
        first.setAutoCommit(false);
        execute(first, "UPDATE T SET B = 1");
        second.setAutoCommit(false);
        assertEquals("0", value(second, "SELECT SUM(B) FROM T"));
        assertTrue(value(second, "SHOW multimed.route").startsWith("master"));
        first.commit();
        execute(first, "UPDATE T SET B = 2");
        first.commit();
        assertEquals("0", value(second, "SELECT SUM(B) FROM T"), "the snapshot of the engine");
        second.commit();
        assertEquals("4", value(second, "SELECT SUM(B) FROM T"));
        second.commit();
    }

    /** A thread with two connections would otherwise wait for itself without end. */
    @Test
    void whoWaitsForTooLongGetsATransientErrorAndGoesOn() throws Exception {
        first.setAutoCommit(false);
        execute(first, "INSERT INTO T VALUES (3, 0)");
        second.setAutoCommit(false);
        assertEquals("2", value(second, "SELECT COUNT(*) FROM T"));
        try (Statement statement = second.createStatement()) {
            statement.setQueryTimeout(1);
            SQLException late = assertThrows(SQLTransientException.class, () -> statement.execute("DELETE FROM U"));
            assertEquals("HYT00", late.getSQLState());
            assertTrue(late.getMessage().contains("one at a time"), late.getMessage());
        }
        assertEquals("2", value(second, "SELECT COUNT(*) FROM T"), "its transaction is what it was");
        first.rollback();
        execute(second, "INSERT INTO T VALUES (4, 0)");
        second.commit();
        second.setAutoCommit(true);
        assertEquals("3", value(second, "SELECT COUNT(*) FROM T"));
        assertEqualEverywhere(url, 3, "T");
    }

    @Test
    void whatWasReadBeforeTheTurnCameMustStillBeSo() throws Exception {
        second.setAutoCommit(false);
        assertEquals("2", value(second, "SELECT COUNT(*) FROM T"));
        execute(first, "INSERT INTO T VALUES (3, 0)");
        SQLException late = assertThrows(
                SQLTransactionRollbackException.class, () -> execute(second, "INSERT INTO U SELECT COUNT(*) FROM T"));
        assertEquals("40001", late.getSQLState());
        second.rollback();
        // The next attempt is not overtaken again: nothing changes while it reads.
        assertEquals("3", value(second, "SELECT COUNT(*) FROM T"));
        FutureTask<Void> other = waiting(first, "INSERT INTO T VALUES (4, 0)");
        execute(second, "INSERT INTO U SELECT COUNT(*) FROM T");
        second.commit();
        assertDone(other);
        second.setAutoCommit(true);
        assertEquals("3", value(second, "SELECT A FROM U"));
        assertEqualEverywhere(url, 3, "T", "U");
    }

    /** No other transaction had a turn meanwhile, or none that changed anything. */
    @Test
    void whatWasReadBeforeTheTurnCameMayStillBeSo() throws Exception {
        second.setAutoCommit(false);
        assertEquals("2", value(second, "SELECT COUNT(*) FROM T"));
        first.setAutoCommit(false);
        execute(first, "INSERT INTO T VALUES (3, 0)");
        first.rollback();
        execute(second, "INSERT INTO U SELECT COUNT(*) FROM T");
        second.commit();
        second.setAutoCommit(true);
        assertEquals("2", value(second, "SELECT A FROM U"));
        assertEqualEverywhere(url, 3, "T", "U");
    }

    /** With snapshots both would see the other's table as it was; replicas, which execute one after the other, would not. */
    @Test
    void transactionsThatReadWhatTheOtherChangesAreTheSameEverywhere() throws Exception {
        first.setAutoCommit(false);
        second.setAutoCommit(false);
        execute(first, "INSERT INTO U SELECT COUNT(*) FROM T");
        FutureTask<Void> other = waiting(second, "INSERT INTO T SELECT COUNT(*), 7 FROM U");
        first.commit();
        assertDone(other);
        second.commit();
        first.setAutoCommit(true);
        assertEquals("1", value(first, "SELECT A FROM T WHERE B = 7"));
        assertEqualEverywhere(url, 3, "T", "U");
    }

    @Test
    void aConnectionThatIsClosedOrAbortedEndsItsTurn() throws Exception {
        FutureTask<Void> next;
        try (Connection closed = connect(url)) {
            closed.setAutoCommit(false);
            execute(closed, "UPDATE T SET B = 1");
            next = waiting(first, "UPDATE T SET B = B + 2");
        }
        assertDone(next);
        try (Connection aborted = connect(url)) {
            aborted.setAutoCommit(false);
            execute(aborted, "UPDATE T SET B = 1");
            next = waiting(first, "UPDATE T SET B = B + 2");
            aborted.abort(Runnable::run);
            assertDone(next);
        }
        assertEquals("8", value(first, "SELECT SUM(B) FROM T"));
        assertEqualEverywhere(url, 3, "T");
    }

    /** A statement that has failed, because of a missing object or another session's rows, does not keep others waiting. */
    @Test
    void aStatementThatFailsByItselfEndsItsTurn() throws Exception {
        for (String sql : new String[] {
            "INSERT INTO NOT_THERE VALUES (1)", "INSERT INTO T(A) VALUES ('a')", "DROP TABLE NOT_THERE"
        }) {
            assertThrows(SQLException.class, () -> execute(first, sql));
            execute(second, "UPDATE T SET B = B + 1");
        }
        assertEquals("6", value(first, "SELECT SUM(B) FROM T"));
        assertEqualEverywhere(url, 3, "T");
    }

    /** The engine has rolled back the whole transaction, and so has Multimed. */
    @Test
    void aTransactionInWhichAStatementFailedIsOver() throws Exception {
        first.setAutoCommit(false);
        execute(first, "UPDATE T SET B = 1");
        assertThrows(SQLException.class, () -> execute(first, "INSERT INTO NOT_THERE VALUES (1)"));
        assertEquals(
                "40001",
                assertThrows(SQLException.class, () -> execute(first, "UPDATE T SET B = 2"))
                        .getSQLState());
        assertEquals("40001", assertThrows(SQLException.class, first::commit).getSQLState());
        first.rollback();
        execute(first, "UPDATE T SET B = 3");
        first.commit();
        first.setAutoCommit(true);
        assertEquals("6", value(first, "SELECT SUM(B) FROM T"));
        assertEqualEverywhere(url, 3, "T");
    }

    @Test
    void transactionsInWordsTakeTurnsAsWell() throws Exception {
        execute(first, "BEGIN TRANSACTION", "UPDATE T SET B = 1");
        FutureTask<Void> next = waiting(second, "UPDATE T SET B = B + 1");
        execute(first, "COMMIT");
        assertDone(next);
        assertEquals("4", value(first, "SELECT SUM(B) FROM T"));
        assertEqualEverywhere(url, 3, "T");
    }
}
