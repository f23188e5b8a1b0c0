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
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.jdbc.PgConnection;

/** {@code jdbc:multimed://}: the driver in front of a Multimed server. */
@Tag("slow")
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

    /** Under auto-commit, pgjdbc by itself does not send the change to the server. */
    @Test
    void readOnlyIsReboundAtOnceUnderAutoCommitToo() throws Exception {
        RunningMultimed.shared().awaitSatellites(DATABASE);
        try (Connection connection = connect("");
                Statement statement = connection.createStatement()) {
            // Otherwise its reads run on a Satellite in any case.
            statement.execute("SET multimed.reads = 'declared'");
            assertFalse(transactionInWords(connection).startsWith("satellite"));
            connection.setReadOnly(true);
            // This read returns the connection to the Master on which the setting was made.
            assertEquals("one", value(connection, "SELECT name FROM t WHERE id = 1"));
            String route = transactionInWords(connection);
            assertTrue(route.startsWith("satellite"), route);
            SQLException refused =
                    assertThrows(SQLException.class, () -> statement.executeUpdate("INSERT INTO t VALUES (93, 'x')"));
            assertEquals("25006", refused.getSQLState());
            connection.setReadOnly(false);
            route = transactionInWords(connection);
            assertTrue(route.startsWith("master"), route);
        }
    }

    /** Runs a transaction that does not declare whether it writes, and returns where it ran. */
    private static String transactionInWords(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("BEGIN");
            assertEquals("one", value(connection, "SELECT name FROM t WHERE id = 1"));
            statement.execute("COMMIT");
        }
        return value(connection, "SHOW multimed.route");
    }

    @Test
    void theRouteIsAConnectionProperty() throws Exception {
        RunningMultimed.shared().awaitSatellites(DATABASE);
        try (Connection connection = connect("&freshness=session&route=master")) {
            assertEquals("one", value(connection, "SELECT name FROM t WHERE id = 1"));
            assertRunsOnMaster(connection);
            connection.setReadOnly(true);
            connection.setAutoCommit(false);
            assertEquals("one", value(connection, "SELECT name FROM t WHERE id = 1"));
            connection.commit();
            assertRunsOnMaster(connection);
            connection.setAutoCommit(true);
            lose(connection);
            assertEquals("one", value(connection, "SELECT name FROM t WHERE id = 1"));
            assertRunsOnMaster(connection);
            assertEquals("session", value(connection, "SHOW multimed.freshness"));
        }
        try (Connection connection = connect("&route=auto")) {
            assertEquals("anywhere", value(connection, "SHOW multimed.reads"));
            assertEquals("one", value(connection, "SELECT name FROM t WHERE id = 1"));
            String route = value(connection, "SHOW multimed.route");
            assertTrue(route.startsWith("satellite"), route);
        }
    }

    private static void assertRunsOnMaster(Connection connection) throws SQLException {
        String route = value(connection, "SHOW multimed.route");
        assertTrue(route.startsWith("master: chosen by the session"), route);
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
    void whenItsHostGoesAwayItGoesOnAtAnotherOne() throws Exception {
        ServerAddress address = RunningMultimed.shared().address();
        try (PassThrough first = new PassThrough(address);
                Connection connection = DriverManager.getConnection("jdbc:multimed://127.0.0.1:" + first.port() + ","
                        + address.host() + ":" + address.port() + "/" + DATABASE + "?user=postgres&socketTimeout=60");
                Statement statement = connection.createStatement()) {
            statement.execute("SET statement_timeout = '77s'");
            assertEquals(1, first.connections());
            first.goAway();
            assertThrows(SQLException.class, () -> value(connection, "SELECT 1"));
            assertEquals("77s", value(connection, "SHOW statement_timeout"));
            assertEquals("one", value(connection, "SELECT name FROM t WHERE id = 1"));
            assertEquals(
                    address.port(),
                    connection
                            .unwrap(PgConnection.class)
                            .getQueryExecutor()
                            .getHostSpec()
                            .getPort());
        }
    }

    /** Checks a connection's validity, as a pool does before it hands out one. */
    @Test
    void whoAsksWhetherItIsValidDoesNotHearOfALossMeanwhile() throws Exception {
        ServerAddress address = RunningMultimed.shared().address();
        try (PassThrough first = new PassThrough(address);
                Connection connection = DriverManager.getConnection("jdbc:multimed://127.0.0.1:" + first.port() + ","
                        + address.host() + ":" + address.port() + "/" + DATABASE + "?user=postgres&socketTimeout=60");
                Statement statement = connection.createStatement()) {
            statement.execute("SET statement_timeout = '77s'");
            first.goAway();
            assertTrue(connection.isValid(5));
            assertEquals("77s", value(connection, "SHOW statement_timeout"));
            statement.execute("CREATE TEMPORARY TABLE mine(a int)");
            disconnect(connection);
            assertFalse(connection.isValid(5));
        }
    }

    @Test
    void aConnectionLostBetweenTransactionsGoesOnWithWhatTheSessionHasSet() throws Exception {
        try (Connection connection = connect("");
                PreparedStatement prepared = connection.prepareStatement("SELECT name FROM t WHERE id = ?");
                Statement statement = connection.createStatement()) {
            prepared.setInt(1, 2);
            statement.execute("SET statement_timeout = '77s'");
            lose(connection);
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

    @ParameterizedTest
    @ValueSource(strings = {"BEGIN", "START TRANSACTION ISOLATION LEVEL SERIALIZABLE", "SELECT 1; BEGIN"})
    void aTransactionBegunInWordsIsNotContinuedElsewhere(String begin) throws Exception {
        try (Connection connection = connect("");
                Statement statement = connection.createStatement()) {
            statement.execute(begin);
            statement.execute("INSERT INTO t VALUES (96, 'lost')");
            statement.execute("SET lock_timeout = '55s'");
            disconnect(connection);
            assertThrows(SQLException.class, () -> statement.execute("INSERT INTO t VALUES (95, 'first')"));
            SQLException still =
                    assertThrows(SQLException.class, () -> statement.execute("INSERT INTO t VALUES (95, 'again')"));
            assertEquals("08006", still.getSQLState());
            assertFalse(connection.isValid(5));
            statement.execute("ROLLBACK");
            assertEquals("0", value(connection, "SELECT count(*) FROM t WHERE id IN (95, 96)"));
            assertEquals("0", value(connection, "SHOW lock_timeout"), "it was undone");
            statement.execute(begin);
            statement.execute("INSERT INTO t VALUES (94, 'lost')");
            disconnect(connection);
            assertThrows(SQLException.class, () -> value(connection, "SELECT 1"));
            assertEquals(
                    "08006",
                    assertThrows(SQLException.class, () -> statement.execute("COMMIT"))
                            .getSQLState());
            assertEquals("0", value(connection, "SELECT count(*) FROM t WHERE id = 94"));
        }
    }

    @Test
    void whatATransactionInWordsHasSetCountsFromItsCommit() throws Exception {
        try (Connection connection = connect("");
                Statement statement = connection.createStatement()) {
            statement.execute("BEGIN");
            statement.execute("SET statement_timeout = '66s'");
            statement.execute("COMMIT");
            statement.execute("BEGIN");
            statement.execute("SET lock_timeout = '55s'");
            statement.execute("ROLLBACK");
            lose(connection);
            assertEquals("66s", value(connection, "SHOW statement_timeout"));
            assertEquals("0", value(connection, "SHOW lock_timeout"));
        }
    }

    @Test
    void clientInfoAndTypesOutliveALoss() throws Exception {
        try (Connection connection = connect("");
                Statement statement = connection.createStatement()) {
            statement.execute("SET application_name = 'in words'");
            connection.setClientInfo("ApplicationName", "by name");
            connection.setTypeMap(Map.of("mine", String.class));
            lose(connection);
            assertEquals("by name", value(connection, "SHOW application_name"));
            assertEquals("by name", connection.getClientInfo("ApplicationName"));
            assertEquals(Map.of("mine", String.class), connection.getTypeMap());
            Properties all = new Properties();
            all.setProperty("ApplicationName", "all");
            connection.setClientInfo(all);
            lose(connection);
            assertEquals("all", value(connection, "SHOW application_name"));
            statement.execute("SET application_name = 'in words'");
            lose(connection);
            assertEquals("in words", value(connection, "SHOW application_name"));
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

    /** Makes the network fail between transactions. */
    private static void lose(Connection connection) throws SQLException {
        disconnect(connection);
        assertThrows(SQLException.class, () -> value(connection, "SELECT 1"));
    }

    private static void disconnect(Connection connection) throws SQLException {
        connection.unwrap(PgConnection.class).abort(Runnable::run);
    }

    @Test
    void afterALossItIsAsItWasSetLast() throws Exception {
        try (Connection connection = connect("");
                Statement statement = connection.createStatement()) {
            statement.execute("SET search_path = pg_catalog");
            connection.setSchema("public");
            statement.execute("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE");
            statement.execute("SET SESSION CHARACTERISTICS AS TRANSACTION NOT DEFERRABLE");
            lose(connection);
            assertEquals("public", value(connection, "SHOW search_path"));
            assertEquals(Connection.TRANSACTION_SERIALIZABLE, connection.getTransactionIsolation());
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            lose(connection);
            assertEquals("public", value(connection, "SHOW search_path"));
            assertEquals(Connection.TRANSACTION_REPEATABLE_READ, connection.getTransactionIsolation());
        }
    }

    @Test
    void whatWasSetBeforeASavepointOutlivesALossAndWhatWasSetBehindItDoesNot() throws Exception {
        try (Connection connection = connect("");
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("SET statement_timeout = '66s'");
            Savepoint savepoint = connection.setSavepoint();
            statement.execute("SET lock_timeout = '55s'");
            connection.rollback(savepoint);
            connection.commit();
            connection.setAutoCommit(true);
            lose(connection);
            assertEquals("66s", value(connection, "SHOW statement_timeout"));
            assertEquals("0", value(connection, "SHOW lock_timeout"));
        }
    }

    @Test
    void theNetworkTimeoutAndTheHoldabilityOutliveALoss() throws Exception {
        try (Connection connection = connect("")) {
            connection.setNetworkTimeout(Runnable::run, 45_000);
            connection.setHoldability(ResultSet.HOLD_CURSORS_OVER_COMMIT);
            lose(connection);
            assertEquals("1", value(connection, "SELECT 1"));
            assertEquals(45_000, connection.getNetworkTimeout());
            assertEquals(ResultSet.HOLD_CURSORS_OVER_COMMIT, connection.getHoldability());
        }
    }

    @Test
    void aConnectionLostInATransactionIsNotValidUntilThatIsRolledBack() throws Exception {
        try (Connection connection = connect("")) {
            connection.setAutoCommit(false);
            assertEquals("1", value(connection, "SELECT 1"));
            lose(connection);
            assertFalse(connection.isValid(5));
            connection.rollback();
            assertTrue(connection.isValid(5));
        }
    }

    @Test
    void aRollbackEndsATransactionWhoseConnectionIsLost() throws Exception {
        try (Connection connection = connect("")) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate("INSERT INTO t VALUES (98, 'lost')");
            }
            kill(connection);
            connection.rollback();
            assertEquals("0", value(connection, "SELECT count(*) FROM t WHERE id = 98"));
            connection.rollback();
        }
    }

    private static void onSatellites(String sql) throws IOException {
        for (int i = 0; i < 2; i++) {
            try (WireSession session =
                    WireSession.open(RunningMultimed.shared().satellite(i), "postgres", DATABASE, PATIENCE)) {
                session.rows(sql);
            }
        }
    }

    /** After a loss the server sees another session. */
    @Test
    void whatASessionHasMadeItSeesAfterALossToo() throws Exception {
        RunningMultimed.shared().awaitSatellites(DATABASE);
        try (Connection connection = connect("&freshness=session");
                Statement statement = connection.createStatement()) {
            onSatellites("SELECT pg_wal_replay_pause()");
            try {
                statement.executeUpdate("INSERT INTO t VALUES (97, 'made')");
                lose(connection);
                assertEquals("1", value(connection, "SELECT count(*) FROM t WHERE id = 97"));
            } finally {
                onSatellites("SELECT pg_wal_replay_resume()");
            }
            statement.executeUpdate("DELETE FROM t WHERE id = 97");
        }
    }

    @Test
    void freshnessGoesTogetherWithOptionsOfTheServer() throws SQLException {
        try (Connection connection = connect("&freshness=session&options=-c%20statement_timeout=66s")) {
            assertEquals("session", value(connection, "SHOW multimed.freshness"));
            assertEquals("66s", value(connection, "SHOW statement_timeout"));
        }
    }
}
