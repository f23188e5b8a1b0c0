package io.multimed.jdbc;

import static io.multimed.jdbc.Sql.execute;
import static io.multimed.jdbc.Sql.value;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests JDBC calls that applications rarely make, and in which changes could be lost or made twice. */
class RareCallsTest {
    private static final String SATELLITE = "satellite: a read by itself";
    private static final int PATIENCE = 20;
    private static final long PATIENCE_SECONDS = PATIENCE;

    private final String database = UUID.randomUUID().toString();

    private Connection connect(String engine) throws SQLException {
        return DriverManager.getConnection("jdbc:multimed:" + engine + ":mem:" + database + ";replicas=3", "SA", "");
    }

    @Test
    void theRowsOfALazyQueryAreOfOneSnapshot() throws SQLException {
        try (Connection writer = connect("h2");
                Connection reader = connect("h2")) {
            execute(writer, "CREATE TABLE T(A INT PRIMARY KEY, V INT)");
            execute(writer, "INSERT INTO T SELECT X, 0 FROM SYSTEM_RANGE(1, 100)");
            execute(writer, "CREATE TABLE U(A INT)", "INSERT INTO U SELECT A FROM T");
            execute(reader, "SET LAZY_QUERY_EXECUTION 1");
            try (Statement statement = reader.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT V FROM U JOIN T ON T.A = U.A")) {
                for (int i = 0; i < 100; i++) {
                    assertTrue(rows.next());
                    assertEquals(0, rows.getInt(1), "row " + i);
                    execute(writer, "UPDATE T SET V = V + 1");
                    assertEquals(String.valueOf(i + 1), value(writer, "SELECT MIN(V) FROM T"));
                }
            }
            assertEquals("100", value(reader, "SELECT MAX(V) FROM T"));
            execute(writer, "SHUTDOWN");
        }
    }

    @Test
    void rowsOfAReplicaAreNotReadAgainThereWhichMightBeStale() throws SQLException {
        try (Connection connection = connect("h2")) {
            execute(connection, "CREATE TABLE T(A INT PRIMARY KEY, V INT)", "INSERT INTO T VALUES(1, 0)");
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT A, V FROM T")) {
                assertTrue(rows.next());
                SQLException refused = assertThrows(SQLFeatureNotSupportedException.class, rows::refreshRow);
                assertTrue(refused.getMessage().contains("CONCUR_UPDATABLE"), refused.getMessage());
            }
            try (Statement statement =
                            connection.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_UPDATABLE);
                    ResultSet rows = statement.executeQuery("SELECT A, V FROM T")) {
                assertTrue(rows.next());
                execute(connection, "UPDATE T SET V = 7");
                rows.refreshRow();
                assertEquals(7, rows.getInt(2));
            }
            execute(connection, "SHUTDOWN");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void aBatchThatIsRefusedIsNotExecutedWithTheNext(String engine) throws SQLException {
        try (Connection connection = connect(engine)) {
            execute(connection, "CREATE TABLE T(A INT)");
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO T VALUES (?)");
                    Statement plain = connection.createStatement()) {
                connection.setReadOnly(true);
                insert.setInt(1, 1);
                insert.addBatch();
                assertEquals(
                        "25006",
                        assertThrows(SQLException.class, insert::executeBatch).getSQLState());
                plain.addBatch("INSERT INTO T VALUES (1)");
                assertEquals(
                        "25006",
                        assertThrows(SQLException.class, plain::executeLargeBatch)
                                .getSQLState());
                connection.setReadOnly(false);
                insert.setInt(1, 2);
                insert.addBatch();
                assertArrayEquals(new int[] {1}, insert.executeBatch());
                plain.addBatch("INSERT INTO T VALUES (3)");
                assertArrayEquals(new long[] {1}, plain.executeLargeBatch());
            }
            assertEquals("2", value(connection, "SELECT COUNT(*) FROM T WHERE A > 1"));
            assertEquals("2", value(connection, "SELECT COUNT(*) FROM T"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void aBatchIsClearedAlsoIfTheStatementHasReadElsewhereMeanwhile(String engine) throws SQLException {
        try (Connection connection = connect(engine)) {
            execute(connection, "CREATE TABLE T(A INT)");
            try (Statement statement = connection.createStatement()) {
                statement.addBatch("INSERT INTO T VALUES (1)");
                statement.executeQuery("SELECT A FROM T").close();
                statement.clearBatch();
                statement.addBatch("INSERT INTO T VALUES (2)");
                statement.executeQuery("SELECT A FROM T").close();
                assertArrayEquals(new int[] {1}, statement.executeBatch());
                statement.addBatch("INSERT INTO T VALUES (3)");
                statement.addBatch("CREATE TABLE U(A INT)");
                statement.executeQuery("SELECT A FROM T").close();
                statement.executeBatch();
                statement.addBatch("INSERT INTO T VALUES (4)");
                assertArrayEquals(new int[] {1}, statement.executeBatch());
            }
            assertEquals("3", value(connection, "SELECT COUNT(*) FROM T"));
            assertEquals("0", value(connection, "SELECT COUNT(*) FROM T WHERE A = 1"));
        }
    }

    @ParameterizedTest
    @CsvSource({"h2, 1003", "h2, 1004", "hsqldb, 1003", "hsqldb, 1004"})
    void rowsAreChangedThroughAResultSetUnderAutoCommit(String engine, int type) throws SQLException {
        try (Connection connection = connect(engine);
                Connection other = connect(engine)) {
            execute(connection, "CREATE TABLE T(A INT PRIMARY KEY, B INT)");
            execute(connection, "INSERT INTO T VALUES (1, 1)", "INSERT INTO T VALUES (2, 2)");
            try (PreparedStatement query =
                            connection.prepareStatement("SELECT A, B FROM T", type, ResultSet.CONCUR_UPDATABLE);
                    ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    rows.updateInt(2, 7);
                    rows.updateRow();
                    assertEquals("7", value(other, "SELECT B FROM T WHERE A = " + rows.getInt(1)), "it is committed");
                    assertEquals(SATELLITE, value(other, "SHOW multimed.route"));
                }
                rows.moveToInsertRow();
                rows.updateInt(1, 3);
                rows.updateInt(2, 7);
                rows.insertRow();
            }
            assertEquals("3", value(other, "SELECT COUNT(*) FROM T WHERE B = 7"));
            assertEquals(SATELLITE, value(other, "SHOW multimed.route"));
            execute(connection, "UPDATE T SET B = 8");
            assertEquals("3", value(other, "SELECT COUNT(*) FROM T WHERE B = 8"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void whatTheCatalogAnswersLeadsBackToTheConnectionOfTheApplication(String engine) throws SQLException {
        try (Connection connection = connect(engine);
                ResultSet tables = connection.getMetaData().getTables(null, null, null, null)) {
            Statement statement = tables.getStatement();
            if (statement != null) {
                assertSame(connection, statement.getConnection());
                statement.close();
                assertTrue(tables.isClosed());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void howLongResultsAreHeldIsTheSameOnEveryNode(String engine) throws SQLException {
        try (Connection connection = connect(engine)) {
            execute(connection, "CREATE TABLE T(A INT)", "INSERT INTO T VALUES (1)");
            assertEquals("1", value(connection, "SELECT A FROM T"));
            connection.setHoldability(ResultSet.CLOSE_CURSORS_AT_COMMIT);
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT A FROM T")) {
                assertEquals(SATELLITE, value(connection, "SHOW multimed.route"));
                int held = rows.getHoldability();
                connection.setAutoCommit(false);
                try (Statement onMaster = connection.createStatement();
                        ResultSet same = onMaster.executeQuery("SELECT A FROM T")) {
                    assertEquals(same.getHoldability(), held);
                    assertEquals(onMaster.getResultSetHoldability(), statement.getResultSetHoldability());
                }
                connection.rollback();
            }
        }
    }

    @Test
    void anArrayThatIsChangedAfterItWasSetIsBoundAsItWas() throws SQLException {
        try (Connection connection = connect("h2")) {
            execute(connection, "CREATE TABLE T(A INT)", "INSERT INTO T VALUES (1)", "INSERT INTO T VALUES (2)");
            Object[] wanted = {2};
            try (PreparedStatement read =
                    connection.prepareStatement("SELECT A FROM T WHERE ARRAY_CONTAINS(CAST(? AS INT ARRAY), A)")) {
                read.setObject(1, wanted);
                wanted[0] = 1;
                connection.setAutoCommit(false);
                execute(connection, "INSERT INTO T VALUES (3)");
                try (ResultSet rows = read.executeQuery()) {
                    assertTrue(rows.next());
                    assertEquals(2, rows.getInt(1), "on the Master now");
                }
                connection.rollback();
            }
        }
    }

    /** The data that the transaction has read may have changed on the Master. */
    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void aTransactionThatHasReadOnASatelliteChangesNothingUnderAnotherSnapshot(String engine) throws SQLException {
        try (Connection connection = connect(engine)) {
            execute(connection, "CREATE TABLE T(A INT)", "INSERT INTO T VALUES (1)");
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            connection.setReadOnly(true);
            connection.setAutoCommit(false);
            assertEquals("1", value(connection, "SELECT A FROM T"));
            SQLException refused = assertThrows(SQLException.class, () -> connection.setReadOnly(false));
            assertEquals("0A000", refused.getSQLState());
            assertTrue(connection.isReadOnly());
            connection.commit();
            connection.setReadOnly(false);
            execute(connection, "UPDATE T SET A = 2");
            connection.commit();
            assertEquals("2", value(connection, "SELECT A FROM T"));
            connection.rollback();
        }
    }

    /** A pool uses isValid to decide whether to close a connection. */
    @Test
    void aConnectionThatNoMasterLetsInIsNotValid() throws SQLException {
        try (Connection first = connect("h2")) {
            execute(first, "CREATE USER B PASSWORD 'b' ADMIN");
            try (Connection second =
                    DriverManager.getConnection("jdbc:multimed:h2:mem:" + database + ";replicas=3", "B", "b")) {
                assertTrue(second.isValid(PATIENCE));
                execute(first, "ALTER USER B SET PASSWORD 'other'");
                ((SessionLocal) first.unwrap(JdbcConnection.class).getSession())
                        .getDatabase()
                        .shutdownImmediately();
                assertFalse(second.isValid(PATIENCE));
                assertTrue(first.isValid(PATIENCE), "it is let in by another");
            }
        }
    }

    @Test
    void aTransactionThatIsLostIsToldAlsoToWhoAsksWhetherTheConnectionIsValid() throws SQLException {
        try (Connection connection = connect("h2")) {
            execute(connection, "CREATE TABLE T(A INT)");
            connection.setAutoCommit(false);
            execute(connection, "INSERT INTO T VALUES (1)");
            ((SessionLocal) connection.unwrap(JdbcConnection.class).getSession())
                    .getDatabase()
                    .shutdownImmediately();
            SQLException lost = assertThrows(SQLException.class, () -> connection.isValid(PATIENCE));
            assertEquals("40001", lost.getSQLState());
            assertTrue(connection.isValid(PATIENCE));
            assertEquals("0", value(connection, "SELECT COUNT(*) FROM T"));
            connection.rollback();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void aConnectionIsAbortedByAnExecutorAndOnce(String engine) throws SQLException {
        Connection connection = connect(engine);
        try (Connection other = connect(engine)) {
            execute(other, "CREATE TABLE T(A INT)");
            connection.setAutoCommit(false);
            execute(connection, "INSERT INTO T VALUES (1)");
            assertThrows(SQLException.class, () -> connection.abort(null));
            assertFalse(connection.isClosed());
            connection.abort(Runnable::run);
            assertTrue(connection.isClosed());
            assertFalse(connection.isValid(1));
            connection.abort(Runnable::run);
            connection.close();
            assertThrows(SQLException.class, connection::createStatement);
            assertEquals("0", value(other, "SELECT COUNT(*) FROM T"));
            assertEquals(SATELLITE, value(other, "SHOW multimed.route"), "its replicas are there");
        }
    }

    private static void awaitWaiting(Thread thread) throws InterruptedException {
        long began = System.nanoTime();
        while (thread.getState() != Thread.State.TIMED_WAITING && thread.getState() != Thread.State.WAITING) {
            assertTrue(
                    System.nanoTime() - began < TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS),
                    thread.getState().toString());
            Thread.sleep(1);
        }
    }

    /** A definition waits for an open transaction, and keeps others out meanwhile. */
    @Test
    void whatIsCancelledWhileItWaitsToBeLetInIsNotExecuted() throws Exception {
        try (Connection open = connect("hsqldb");
                Connection defining = connect("hsqldb");
                Connection waiting = connect("hsqldb");
                Statement statement = waiting.createStatement()) {
            execute(open, "CREATE TABLE T(A INT)");
            open.setAutoCommit(false);
            execute(open, "INSERT INTO T VALUES (1)");
            FutureTask<Void> definition = new FutureTask<>(() -> {
                execute(defining, "CREATE TABLE U(A INT)");
                return null;
            });
            FutureTask<Integer> insertion = new FutureTask<>(() -> statement.executeUpdate("INSERT INTO T VALUES (2)"));
            Thread definer = new Thread(definition);
            definer.start();
            awaitWaiting(definer);
            Thread inserter = new Thread(insertion);
            inserter.start();
            awaitWaiting(inserter);
            statement.cancel();
            open.commit();
            definition.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            ExecutionException cancelled =
                    assertThrows(ExecutionException.class, () -> insertion.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
            assertEquals("57014", ((SQLException) cancelled.getCause()).getSQLState());
            assertEquals("1", value(waiting, "SELECT COUNT(*) FROM T"));
            assertEquals(1, statement.executeUpdate("INSERT INTO T VALUES (3)"), "the next one is another");
            open.setAutoCommit(true);
            execute(open, "SHUTDOWN");
        }
    }

    /** The statement must not be tried again on the Master, where it would have to be cancelled as well. */
    @ParameterizedTest
    @CsvSource({"h2, true", "h2, false", "hsqldb, true", "hsqldb, false"})
    void whatIsCancelledOnASatelliteHasEnded(String engine, boolean autoCommit) throws Exception {
        try (Connection connection = connect(engine);
                Statement statement = connection.createStatement()) {
            execute(connection, "CREATE TABLE T(A INT)");
            for (int i = 0; i < 40; i++) {
                statement.executeUpdate("INSERT INTO T VALUES (" + i + ")");
            }
            connection.setReadOnly(!autoCommit);
            connection.setAutoCommit(autoCommit);
            FutureTask<ResultSet> query = new FutureTask<>(() -> statement.executeQuery(
                    "SELECT COUNT(*) FROM T A, T B, T C, T D, T E WHERE A.A + B.A + C.A + D.A + E.A < 0"));
            Thread reader = new Thread(query);
            reader.start();
            while (reader.isAlive()) {
                statement.cancel();
                reader.join(20);
            }
            assertThrows(ExecutionException.class, query::get);
            assertTrue(value(connection, "SHOW multimed.route").startsWith("satellite"));
            assertEquals("40", value(connection, "SELECT COUNT(*) FROM T"));
            assertTrue(value(connection, "SHOW multimed.route").startsWith("satellite"));
            connection.rollback();
        }
    }

    /** Either the change is there, or the application gets an error. */
    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void whatIsAbortedWhileItRunsIsNotAcknowledgedAndLost(String engine) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try (Connection other = connect(engine)) {
            execute(other, "CREATE TABLE T(A INT)");
            int inTime = 0;
            // The delay is adjusted until either of both may come first.
            long headStart = 1000;
            for (int i = 0; i < 200; i++) {
                int row = i;
                Connection connection = connect(engine);
                CountDownLatch begins = new CountDownLatch(1);
                Future<Boolean> acknowledged = threads.submit(() -> {
                    try (Statement statement = connection.createStatement()) {
                        begins.countDown();
                        return statement.executeUpdate("INSERT INTO T VALUES (" + row + ")") == 1;
                    } catch (SQLException e) {
                        return false;
                    }
                });
                begins.await();
                long begun = System.nanoTime();
                while (System.nanoTime() - begun < headStart && !acknowledged.isDone()) {
                    Thread.onSpinWait();
                }
                connection.abort(Runnable::run);
                if (acknowledged.get(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    assertEquals("1", value(other, "SELECT COUNT(*) FROM T WHERE A = " + row));
                    inTime++;
                    headStart = Math.max(1, headStart / 2);
                } else {
                    headStart *= 2;
                }
            }
            assertTrue(inTime > 0, "every statement was aborted");
        } finally {
            threads.shutdownNow();
        }
    }
}
