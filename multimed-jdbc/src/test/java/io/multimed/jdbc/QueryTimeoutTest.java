package io.multimed.jdbc;

import static io.multimed.jdbc.Sql.execute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.sql.Statement;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a statement's wait before the engine's call counts as part of its query timeout. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("slow")
class QueryTimeoutTest {
    private static final long PATIENCE_SECONDS = 20;
    private static final String LONG =
            "SELECT COUNT(*) FROM T A, T B, T C, T D, T E WHERE A.A + B.A + C.A + D.A + E.A < 0";

    private static volatile CountDownLatch begun = new CountDownLatch(1);
    private static volatile CountDownLatch released = new CountDownLatch(1);

    private final String database = UUID.randomUUID().toString();

    /** Called by H2. */
    public static final class Pause {
        private Pause() {}

        public static int pause() throws InterruptedException {
            begun.countDown();
            assertTrue(released.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
            return 1;
        }
    }

    @AfterEach
    void release() {
        released.countDown();
    }

    private Connection connect(String engine, String options) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:multimed:" + engine + ":mem:" + database + ";replicas=3" + options, "SA", "");
    }

    private static String value(ResultSet result) throws SQLException {
        try (result) {
            return result.next() ? String.valueOf(result.getString(1)) : "no row";
        }
    }

    private static String route(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return value(statement.executeQuery("SHOW multimed.route"));
        }
    }

    /** Makes the session's reads run on the Master until {@link #release}: it may have seen a table that is being made. */
    private FutureTask<Void> putAhead(Connection session, Connection definer) throws Exception {
        begun = new CountDownLatch(1);
        released = new CountDownLatch(1);
        execute(definer, "CREATE TABLE T(A INT)", "CREATE ALIAS PAUSE FOR \"" + Pause.class.getName() + ".pause\"");
        FutureTask<Void> definition = new FutureTask<>(() -> {
            execute(definer, "CREATE TABLE U AS SELECT PAUSE() AS A");
            return null;
        });
        new Thread(definition).start();
        assertTrue(begun.await(PATIENCE_SECONDS, TimeUnit.SECONDS));
        execute(session, "INSERT INTO T VALUES (1)");
        return definition;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aReadThatFindsNoFreshReplicaEndsWithItsTime(boolean autoCommit) throws Exception {
        try (Connection reader = connect("h2", ";patience=3600s");
                Connection definer = connect("h2", "")) {
            FutureTask<Void> definition = putAhead(reader, definer);
            reader.setReadOnly(true);
            reader.setAutoCommit(autoCommit);
            try (Statement read = reader.createStatement()) {
                read.setQueryTimeout(1);
                SQLException late =
                        assertThrows(SQLTimeoutException.class, () -> read.executeQuery("SELECT COUNT(*) FROM T"));
                assertEquals("57014", late.getSQLState());
                release();
                definition.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
                reader.rollback();
                assertEquals("1", value(read.executeQuery("SELECT COUNT(*) FROM T")), "the next one has its own time");
                assertTrue(route(reader).startsWith("satellite"), route(reader));
            }
            reader.rollback();
        }
    }

    @Test
    void theMasterHasWhatIsLeftOfTheTime() throws Exception {
        try (Connection reader = connect("h2", ";patience=1100ms");
                Connection definer = connect("h2", "")) {
            FutureTask<Void> definition = putAhead(reader, definer);
            execute(reader, "INSERT INTO T SELECT X FROM SYSTEM_RANGE(1, 200)");
            try (Statement read = reader.createStatement()) {
                read.setQueryTimeout(4);
                // The Master has timed out: on a Satellite the timeout would have ended before the statement was sent.
                assertThrows(SQLTimeoutException.class, () -> read.executeQuery(LONG));
                assertEquals("master: no fresh satellite", route(reader));
                assertEquals(4, read.getQueryTimeout(), "all of it again");
            }
            release();
            definition.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** A definition waits up to 10 s for a transaction that stays open, and keeps others out meanwhile. */
    @Test
    void aChangeThatIsNotLetInEndsWithItsTime() throws Exception {
        try (Connection open = connect("hsqldb", "");
                Connection definer = connect("hsqldb", "");
                Connection writer = connect("hsqldb", "");
                Statement change = writer.createStatement()) {
            execute(open, "CREATE TABLE T(A INT)");
            open.setAutoCommit(false);
            execute(open, "INSERT INTO T VALUES (1)");
            FutureTask<Void> definition = new FutureTask<>(() -> {
                execute(definer, "CREATE TABLE U(A INT)");
                return null;
            });
            Thread defining = new Thread(definition);
            defining.start();
            while (defining.getState() != Thread.State.TIMED_WAITING) {
                assertTrue(defining.isAlive());
                Thread.onSpinWait();
            }
            change.setQueryTimeout(1);
            assertThrows(SQLTimeoutException.class, () -> change.executeUpdate("INSERT INTO T VALUES (2)"));
            assertTrue(defining.isAlive(), "it still waits");
            open.commit();
            definition.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            assertEquals(1, change.executeUpdate("INSERT INTO T VALUES (3)"));
            assertEquals("2", value(change.executeQuery("SELECT COUNT(*) FROM T")));
            open.setAutoCommit(true);
            execute(open, "SHUTDOWN");
        }
    }
}
