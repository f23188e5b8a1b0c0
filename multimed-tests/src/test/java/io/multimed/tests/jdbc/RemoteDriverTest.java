package io.multimed.tests.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.wire.ServerAddress;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** {@code jdbc:multimed://}: the driver in front of a Multimed server. */
class RemoteDriverTest {
    private static final String DATABASE = "remotedriver";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @BeforeAll
    static void createDatabase() throws IOException, SQLException {
        try (WireSession owner =
                WireSession.open(RunningMultimed.shared().address(), "postgres", "postgres", PATIENCE)) {
            owner.rows("CREATE DATABASE " + DATABASE);
        }
        try (Connection connection = connect("");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t(id int primary key, name text)");
            statement.execute("INSERT INTO t VALUES (1, 'one'), (2, 'two')");
        }
    }

    @AfterAll
    static void dropDatabase() throws IOException {
        try (WireSession owner =
                WireSession.open(RunningMultimed.shared().master(), "postgres", "postgres", PATIENCE)) {
            owner.rows("DROP DATABASE " + DATABASE + " WITH (FORCE)");
        }
    }

    private static Connection connect(String options) throws SQLException {
        ServerAddress address = RunningMultimed.shared().address();
        return DriverManager.getConnection("jdbc:multimed://" + address.host() + ":" + address.port() + "/" + DATABASE
                + "?user=postgres&socketTimeout=60" + options);
    }

    private static String value(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getString(1);
        }
    }

    /** Ends the engine's own backends of a session, as a restart or a fail-over would. */
    private static void kill(Connection connection) throws SQLException, IOException {
        String name = "doomed" + System.nanoTime();
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET application_name = '" + name + "'");
            statement.execute("BEGIN");
            statement.execute("SELECT txid_current()");
        }
        try (WireSession owner = WireSession.open(RunningMultimed.shared().master(), "postgres", DATABASE, PATIENCE)) {
            owner.rows(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '" + name + "'");
        }
    }

    @Test
    void readOnlyIsReboundAtOnce() throws SQLException {
        try (Connection connection = connect("")) {
            connection.setAutoCommit(false);
            assertEquals("one", value(connection, "SELECT name FROM t WHERE id = 1"));
            connection.commit();
            connection.setReadOnly(true);
            assertTrue(connection.isReadOnly());
            assertEquals("one", value(connection, "SELECT name FROM t WHERE id = 1"));
            connection.commit();
            String route = value(connection, "SHOW multimed.route").toLowerCase(Locale.ROOT);
            assertTrue(route.contains("satellite"), route);
            connection.rollback();
            connection.setReadOnly(false);
            try (Statement statement = connection.createStatement()) {
                assertEquals(0, statement.executeUpdate("UPDATE t SET name = 'x' WHERE id = 0"));
            }
            connection.commit();
        }
    }

    @Test
    void statementsPreparedBeforeReadOnlyWorkAfterIt() throws SQLException {
        try (Connection connection = connect("");
                PreparedStatement prepared = connection.prepareStatement("SELECT name FROM t WHERE id = ?")) {
            prepared.setInt(1, 2);
            connection.setReadOnly(true);
            try (ResultSet result = prepared.executeQuery()) {
                assertTrue(result.next());
                assertEquals("two", result.getString(1));
            }
        }
    }

    @Test
    void whatAppliesIsShownToWhoeverHasSetNothing() throws SQLException {
        try (Connection connection = connect("")) {
            assertEquals("strong", value(connection, "SHOW multimed.freshness"));
            assertEquals("statement", value(connection, "SHOW multimed.snapshot"));
            assertEquals("1000ms", value(connection, "SHOW multimed.max_lag"));
        }
    }

    @Test
    void freshnessIsAConnectionProperty() throws SQLException {
        try (Connection connection = connect("&freshness=session")) {
            assertEquals("session", value(connection, "SHOW multimed.freshness"));
        }
        try (Connection connection = connect("&freshness=eventual:250ms")) {
            assertEquals("eventual", value(connection, "SHOW multimed.freshness"));
            assertEquals("250ms", value(connection, "SHOW multimed.max_lag"));
        }
        SQLException refused = assertThrows(SQLException.class, () -> connect("&freshness=stale"));
        assertEquals("22023", refused.getSQLState());
    }

    @Test
    void theNodesAreShownThroughTheConnection() throws SQLException {
        try (Connection connection = connect("");
                Statement statement = connection.createStatement();
                ResultSet nodes = statement.executeQuery("SHOW MULTIMED NODES")) {
            int rows = 0;
            while (nodes.next()) {
                rows++;
            }
            assertEquals(3, rows);
        }
    }

    @Test
    void aHostThatDoesNotAnswerIsPassedOver() throws SQLException {
        ServerAddress address = RunningMultimed.shared().address();
        try (Connection connection = DriverManager.getConnection("jdbc:multimed://127.0.0.1:1," + address.host() + ":"
                + address.port() + "/" + DATABASE + "?user=postgres")) {
            assertEquals("1", value(connection, "SELECT 1"));
        }
    }

    @Test
    void aConnectionLostBetweenTransactionsGoesOnWithWhatTheSessionHasSet() throws Exception {
        try (Connection connection = connect("");
                PreparedStatement prepared = connection.prepareStatement("SELECT name FROM t WHERE id = ?");
                Statement statement = connection.createStatement()) {
            prepared.setInt(1, 2);
            statement.execute("SET statement_timeout = '77s'");
            kill(connection);
            assertThrows(SQLException.class, () -> value(connection, "SELECT 1"));
            assertFalse(connection.isClosed());
            try (ResultSet result = prepared.executeQuery()) {
                assertTrue(result.next());
                assertEquals("two", result.getString(1));
            }
            assertEquals("77s", value(connection, "SHOW statement_timeout"));
        }
    }

    @Test
    void aConnectionLostInATransactionMustBeRolledBackFirst() throws Exception {
        try (Connection connection = connect("")) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate("INSERT INTO t VALUES (99, 'lost')");
            }
            kill(connection);
            assertThrows(SQLException.class, () -> value(connection, "SELECT 1"));
            SQLException still = assertThrows(SQLException.class, () -> value(connection, "SELECT 1"));
            assertEquals("08006", still.getSQLState());
            connection.rollback();
            assertEquals("0", value(connection, "SELECT count(*) FROM t WHERE id = 99"));
            connection.rollback();
        }
    }

    @Test
    void whatTheServerHeldIsNotSilentlyLost() throws Exception {
        try (Connection connection = connect("");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TEMPORARY TABLE mine(a int)");
            kill(connection);
            assertThrows(SQLException.class, () -> value(connection, "SELECT 1"));
            assertTrue(connection.isClosed());
        }
    }
}
