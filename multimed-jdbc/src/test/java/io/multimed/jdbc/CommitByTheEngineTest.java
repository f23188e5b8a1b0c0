package io.multimed.jdbc;

import static io.multimed.jdbc.Sql.execute;
import static io.multimed.jdbc.Sql.value;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that each way of ending a transaction with the engine alone also ends it through Multimed, with its changes on all nodes.
 */
public class CommitByTheEngineTest {
    private final String database = UUID.randomUUID().toString().replace("-", "");

    /** A step between a change and the application's rollback. */
    @FunctionalInterface
    private interface Between {
        void on(Connection connection) throws SQLException;
    }

    /** Returns the way in which the transaction ended, and the number of rows that other sessions see on each node. */
    private static String seen(String url, Between between) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url, "SA", "");
                Connection other = DriverManager.getConnection(url, "SA", "");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE T(A INT)");
            if (url.contains("h2:")) {
                statement.execute("CREATE MATERIALIZED VIEW M AS SELECT A FROM T");
                statement.execute("CREATE ALIAS COMMITS FOR '" + CommitByTheEngineTest.class.getName() + ".commits'");
            }
            connection.setAutoCommit(false);
            statement.execute("INSERT INTO T VALUES (1)");
            String how = "done";
            try {
                between.on(connection);
            } catch (SQLException e) {
                how = "failed " + e.getSQLState();
            }
            connection.rollback();
            String rows = value(other, "SELECT COUNT(*) FROM T");
            other.setAutoCommit(false);
            assertEquals(value(other, "SELECT COUNT(*) FROM T"), rows, "on the Master");
            other.rollback();
            return how + ", rows: " + rows;
        }
    }

    private void endsAsWithTheEngineAlone(String engine, Between between) throws SQLException {
        String alone = seen("jdbc:" + engine + ":mem:" + database + "a", between);
        String through = seen("jdbc:multimed:" + engine + ":mem:" + database + ";replicas=3", between);
        assertEquals(alone, through);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE",
                "CREATE LOCAL TEMPORARY TABLE X(A INT)",
                "CREATE LOCAL TEMPORARY TABLE X(A INT) TRANSACTIONAL",
                "REFRESH MATERIALIZED VIEW M",
                "PREPARE P AS DELETE FROM T",
                "SCRIPT NODATA",
                "ANALYZE",
                "CHECKPOINT",
                "EXPLAIN DELETE FROM T",
                "CALL 1",
                "SAVEPOINT S",
                "SET @X = 1",
                "SET LOCK_TIMEOUT 1000",
                "SET SCHEMA PUBLIC",
                "SET TIME ZONE 'UTC'",
                "SHOW TABLES",
                "BEGIN"
            })
    void ofH2(String sql) throws SQLException {
        endsAsWithTheEngineAlone("h2", connection -> execute(connection, sql));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "COMMIT AND CHAIN",
                "ROLLBACK AND CHAIN",
                "DECLARE LOCAL TEMPORARY TABLE X(A INT)",
                "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE",
                "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE",
                "LOCK TABLE T WRITE",
                "EXPLAIN PLAN FOR SELECT * FROM T",
                "SAVEPOINT S",
                "SET MAXROWS 10",
                "SET SCHEMA PUBLIC",
                "SET TIME ZONE LOCAL",
                "ALTER SESSION RESET RESULT SETS",
                "START TRANSACTION"
            })
    void ofHsqldb(String sql) throws SQLException {
        endsAsWithTheEngineAlone("hsqldb", connection -> execute(connection, sql));
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void byAChangeOfTheIsolation(String engine) throws SQLException {
        endsAsWithTheEngineAlone(
                engine, connection -> connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE));
    }

    /** Called by H2. */
    public static void commits(Connection own) throws SQLException {
        own.commit();
    }

    @ParameterizedTest
    @ValueSource(strings = {"CALL COMMITS()", "PREPARE COMMIT X;COMMIT TRANSACTION X", "PREPARE COMMIT X;COMMIT"})
    void inAWayThatOnlyTheEngineKnows(String statements) throws SQLException {
        endsAsWithTheEngineAlone("h2", connection -> {
            try (Statement statement = connection.createStatement()) {
                for (String sql : statements.split(";")) {
                    statement.execute(sql);
                }
            }
        });
    }
}
