package io.multimed.jdbc;

import static io.multimed.jdbc.Sql.execute;
import static io.multimed.jdbc.Sql.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a batch has the same effect on all nodes, whatever its elements and however it was put together. */
class BatchTest {
    private final String database = UUID.randomUUID().toString().replace("-", "");

    private Connection connect(String engine) throws SQLException {
        return DriverManager.getConnection("jdbc:multimed:" + engine + ":mem:" + database + ";replicas=3", "SA", "");
    }

    private static String onSatellite(Connection connection, String sql) throws SQLException {
        String seen = value(connection, sql);
        assertEquals("satellite: a read by itself", value(connection, "SHOW multimed.route"));
        return seen;
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void aLargeBatchMayHoldDefinitions(String engine) throws SQLException {
        try (Connection connection = connect(engine);
                Statement batch = connection.createStatement()) {
            execute(connection, "CREATE TABLE A(X INT)", "CREATE TABLE B(X INT)", "INSERT INTO B VALUES (1)");
            connection.setAutoCommit(false);
            batch.addBatch("INSERT INTO A VALUES (1)");
            batch.addBatch("TRUNCATE TABLE B");
            assertEquals(2, batch.executeLargeBatch().length);
            connection.setAutoCommit(true);
            assertEquals("1", onSatellite(connection, "SELECT COUNT(*) FROM A"));
            assertEquals("0", onSatellite(connection, "SELECT COUNT(*) FROM B"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void aPreparedDefinitionMayBeABatch(String engine) throws SQLException {
        try (Connection connection = connect(engine)) {
            execute(connection, "CREATE TABLE A(X INT)", "CREATE TABLE B(X INT)", "INSERT INTO B VALUES (1)");
            connection.setAutoCommit(false);
            execute(connection, "INSERT INTO A VALUES (1)");
            try (PreparedStatement truncate = connection.prepareStatement("TRUNCATE TABLE B")) {
                truncate.addBatch();
                assertEquals(1, truncate.executeBatch().length);
            }
            connection.setAutoCommit(true);
            assertEquals("1", onSatellite(connection, "SELECT COUNT(*) FROM A"));
            assertEquals("0", onSatellite(connection, "SELECT COUNT(*) FROM B"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void aPreparedCommitMayBeABatch(String engine) throws SQLException {
        try (Connection connection = connect(engine);
                PreparedStatement commit = connection.prepareStatement("COMMIT")) {
            execute(connection, "CREATE TABLE A(X INT)");
            connection.setAutoCommit(false);
            execute(connection, "INSERT INTO A VALUES (1)");
            commit.addBatch();
            assertEquals(1, commit.executeLargeBatch().length);
            connection.rollback();
            connection.setAutoCommit(true);
            assertEquals("1", onSatellite(connection, "SELECT COUNT(*) FROM A"));
        }
    }

    /** Largest number of attempts until the engine rolls back the batch and not the other transaction. */
    private static final int ROUNDS = 50;

    private static final int ELEMENTS = 3000;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "h2 SELECT COUNT(*) FROM INFORMATION_SCHEMA.SESSIONS WHERE CONTAINS_UNCOMMITTED",
                "hsqldb SELECT COUNT(*) FROM INFORMATION_SCHEMA.SYSTEM_SESSIONS WHERE TRANSACTION_SIZE > 0"
            })
    void whatADeadlockHasUndoneIsNotToldAsExecuted(String engineAndTransactions) throws Exception {
        String engine = engineAndTransactions.substring(0, engineAndTransactions.indexOf(' '));
        String transactions = engineAndTransactions.substring(engine.length() + 1);
        try (Connection connection = connect(engine);
                Connection other = connect(engine)) {
            if (engine.equals("hsqldb")) {
                execute(connection, "SET DATABASE TRANSACTION CONTROL MVCC");
            }
            execute(connection, "CREATE TABLE T(ID INT PRIMARY KEY, A INT)");
            execute(connection, "INSERT INTO T VALUES (1, 0), (2, 0), (3, 0), (4, 0)");
            int round = 0;
            while (!isUndoneByADeadlock(connection, other, transactions)) {
                assertTrue(++round < ROUNDS, "the batch was never the victim");
            }
        }
    }

    /**
     * Runs a batch into a deadlock.
     *
     * @return false if the other transaction was the victim
     */
    private static boolean isUndoneByADeadlock(Connection connection, Connection other, String transactions)
            throws Exception {
        execute(connection, "UPDATE T SET A = 0");
        other.setAutoCommit(false);
        execute(other, "UPDATE T SET A = 9 WHERE ID = 2");
        FutureTask<int[]> batch = new FutureTask<>(() -> batch(connection));
        new Thread(batch, "batch").start();
        // The batch has changed the first row, and goes on to the locked one.
        while (Integer.parseInt(value(other, transactions)) < 2 && !batch.isDone()) {
            Thread.onSpinWait();
        }
        try {
            execute(other, "UPDATE T SET A = 9 WHERE ID = 1");
            other.commit();
        } catch (SQLException e) {
            assertEquals("40001", e.getSQLState());
            other.rollback();
        }
        other.setAutoCommit(true);
        try {
            assertEquals(ELEMENTS + 3, batch.get().length);
            return false;
        } catch (ExecutionException e) {
            BatchUpdateException failed = (BatchUpdateException) e.getCause();
            assertEquals("40001", failed.getSQLState());
            assertTrue(Arrays.stream(failed.getUpdateCounts()).allMatch(count -> count == Statement.EXECUTE_FAILED));
            assertEquals("0", onSatellite(other, "SELECT SUM(A) FROM T WHERE ID IN (3, 4)"));
            assertEquals("9", onSatellite(other, "SELECT A FROM T WHERE ID = 1"));
            return true;
        }
    }

    private static int[] batch(Connection connection) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("UPDATE T SET A = A + 1 WHERE ID = ?")) {
            add(update, 1);
            for (int i = 0; i < ELEMENTS; i++) {
                add(update, 3);
            }
            add(update, 2);
            add(update, 4);
            return update.executeBatch();
        }
    }

    private static void add(PreparedStatement update, int id) throws SQLException {
        update.setInt(1, id);
        update.addBatch();
    }

    @Test
    void eachElementOfAPreparedDefinitionHasItsParameters() throws SQLException {
        try (Connection connection = connect("h2");
                PreparedStatement create =
                        connection.prepareStatement("CREATE TABLE IF NOT EXISTS A AS SELECT CAST(? AS INT) AS X")) {
            for (int i = 1; i <= 2; i++) {
                create.setInt(1, i);
                create.addBatch();
            }
            create.executeBatch();
            assertEquals("1", value(connection, "SELECT X FROM A"));
        }
    }
}
