package io.multimed.jdbc;

import static io.multimed.jdbc.Sql.execute;
import static io.multimed.jdbc.Sql.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that settings of every URL apply, even if the database is open already, as in H2 without replicas. */
class LaterConnectionsTest {
    private static final String SATELLITE = "satellite: a read by itself";
    private static final int REPLICAS = 3;
    private static final String ORACLE = "SELECT CASE WHEN '' IS NULL THEN 'Oracle' ELSE 'regular' END";

    private final String database = "jdbc:multimed:h2:mem:" + UUID.randomUUID() + ";replicas=" + REPLICAS;

    private Connection connect(String settings) throws SQLException {
        return DriverManager.getConnection(database + settings, "SA", "");
    }

    /** Asserts a result on every Satellite: new sessions begin on one after the other. */
    private void assertOnSatellites(String expected, String settings, String sql) throws SQLException {
        for (int i = 0; i < 2 * REPLICAS; i++) {
            try (Connection reader = connect(settings)) {
                assertEquals(expected, value(reader, sql));
                assertEquals(SATELLITE, value(reader, "SHOW multimed.route"));
            }
        }
    }

    private static void assertNoneMadeAnew(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet nodes = statement.executeQuery("SHOW MULTIMED NODES")) {
            while (nodes.next()) {
                assertEquals("serving", nodes.getString("STATE"));
                assertEquals(1, nodes.getInt("ENGINES"), nodes.getString("DETAIL"));
            }
        }
    }

    @Test
    void aModeIsThatOfAllEngines() throws SQLException {
        try (Connection first = connect("")) {
            assertEquals("regular", value(first, ORACLE));
            try (Connection later = connect(";MODE=Oracle")) {
                assertEquals("Oracle", value(later, ORACLE));
                assertOnSatellites("Oracle", "", ORACLE);
            }
            try (Connection later = connect(";MODE=Regular")) {
                assertFalse(later.isClosed());
                assertOnSatellites("regular", "", ORACLE);
            }
        }
    }

    @Test
    void aModeThatTheFirstHadIsMadeAgain() throws SQLException {
        try (Connection first = connect(";MODE=Oracle")) {
            execute(first, "SET MODE Regular");
            assertOnSatellites("Oracle", ";MODE=Oracle", ORACLE);
        }
    }

    @Test
    void theSameSettingsAgainCostNoReplica() throws SQLException {
        String settings = ";MODE=MySQL;DB_CLOSE_DELAY=-1;IGNORECASE=TRUE;NON_KEYWORDS=YEAR;LOCK_TIMEOUT=2000";
        try (Connection first = connect(settings);
                Connection second = connect(settings)) {
            execute(second, "CREATE TABLE T(YEAR INT)", "INSERT INTO T VALUES (1)");
            assertOnSatellites("1", settings, "SELECT YEAR FROM T");
            assertNoneMadeAnew(first);
            execute(first, "SHUTDOWN");
        }
    }

    @Test
    void wordsThatAreNamesToOneSessionAreSoInItsDefinitionsEverywhere() throws SQLException {
        try (Connection first = connect("");
                Connection later = connect(";NON_KEYWORDS=YEAR")) {
            execute(later, "CREATE TABLE T(YEAR INT)", "INSERT INTO T VALUES (1)");
            assertOnSatellites("1", ";NON_KEYWORDS=YEAR", "SELECT YEAR FROM T");
            assertThrows(SQLException.class, () -> value(first, "SELECT YEAR FROM T"), "it is a keyword here");
            assertNoneMadeAnew(first);
        }
    }

    @Test
    void theDatabaseStaysIfALaterConnectionSaysSo() throws SQLException {
        try (Connection first = connect("");
                Connection later = connect(";DB_CLOSE_DELAY=-1")) {
            execute(first, "CREATE TABLE T(A INT)");
            execute(later, "INSERT INTO T VALUES (4)");
        }
        try (Connection again = connect("")) {
            assertEquals("4", value(again, "SELECT A FROM T"));
            execute(again, "SHUTDOWN");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {";SCHEMA=S", ";SCHEMA_SEARCH_PATH=S,PUBLIC", ";INIT=SET SCHEMA S"})
    void eachConnectionBeginsInItsOwnSchema(String setting) throws SQLException {
        try (Connection first = connect("")) {
            execute(
                    first,
                    "CREATE TABLE T(A INT)",
                    "INSERT INTO T VALUES (1)",
                    "CREATE SCHEMA S",
                    "CREATE TABLE S.T(A INT)",
                    "CREATE TABLE S.ONLY_THERE(A INT)",
                    "INSERT INTO S.T VALUES (2)",
                    "INSERT INTO S.ONLY_THERE VALUES (3)");
            assertOnSatellites(setting.startsWith(";SCHEMA_S") ? "1" : "2", setting, "SELECT A FROM T");
            assertOnSatellites("3", setting, "SELECT A FROM ONLY_THERE");
            assertEquals("1", value(first, "SELECT A FROM T"));
            assertEquals(SATELLITE, value(first, "SHOW multimed.route"));
        }
    }

    @Test
    void whatInitChangesIsOnAllReplicas() throws SQLException {
        try (Connection first = connect("")) {
            execute(first, "CREATE TABLE T(A INT)");
            try (Connection later = connect(";INIT=INSERT INTO T VALUES (1)\\;CREATE TABLE IF NOT EXISTS U(A INT)\\;"
                    + "UPDATE T SET A=2 WHERE A=1\\;INSERT INTO U VALUES (5)")) {
                assertEquals("2", value(later, "SELECT A FROM T"));
                assertOnSatellites("2", "", "SELECT A FROM T");
                assertOnSatellites("5", "", "SELECT A FROM U");
            }
            Properties properties = new Properties();
            properties.setProperty("user", "SA");
            properties.setProperty("init", "UPDATE T SET A = 3");
            DriverManager.getConnection(database, properties).close();
            assertOnSatellites("3", "", "SELECT A FROM T");
            assertNoneMadeAnew(first);
        }
    }

    @Test
    void whatInitOfTheFirstMakesIsOnAllReplicas() throws SQLException {
        String init = ";INIT=CREATE TABLE T(A INT)\\;INSERT INTO T VALUES (1)";
        try (Connection first = connect(init)) {
            assertEquals("1", value(first, "SELECT A FROM T"));
            assertOnSatellites("1", "", "SELECT A FROM T");
        }
    }

    @Test
    void aConnectionWhoseInitFailsIsNotMade() throws SQLException {
        SQLException failed = assertThrows(SQLException.class, () -> connect(";INIT=SELECT * FROM NOWHERE"));
        assertTrue(failed.getSQLState().startsWith("42S"), failed.getMessage());
        List<Connection> open = new ArrayList<>();
        open.add(connect(";IFEXISTS=FALSE"));
        execute(open.get(0), "CREATE TABLE T(A INT)");
        assertThrows(SQLException.class, () -> connect(";INIT=SELECT * FROM NOWHERE"));
        open.get(0).close();
        try (Connection another = connect("")) {
            assertThrows(SQLException.class, () -> value(another, "SELECT * FROM T"), "it ended with its last one");
        }
    }

    @ParameterizedTest
    @CsvSource({"AUTOCOMMIT=FALSE, false", "AUTOCOMMIT=TRUE, true"})
    void whetherStatementsCommitByThemselvesIsASettingToo(String setting, boolean expected) throws SQLException {
        try (Connection first = connect(";" + setting);
                Connection later = connect(";" + setting + ";INIT=CREATE TABLE IF NOT EXISTS T(A INT)")) {
            assertEquals(expected, first.getAutoCommit());
            assertEquals(expected, later.getAutoCommit());
            execute(later, "INSERT INTO T VALUES (1)");
            assertEquals(expected ? "1" : "0", value(first, "SELECT COUNT(*) FROM T"));
            if (!expected) {
                later.rollback();
                first.rollback();
            }
        }
    }

    /** The error is H2's own, with the same message. */
    @ParameterizedTest
    @ValueSource(strings = {";NO_SUCH_SETTING=1", ";MODE=NoSuchMode", ";MODE", ";SCHEMA=NO_SUCH_SCHEMA"})
    void whatH2RefusesIsRefusedByH2(String setting) throws SQLException {
        String plain = database.replace(":multimed", "").replace(";replicas=" + REPLICAS, "");
        SQLException alone =
                assertThrows(SQLException.class, () -> DriverManager.getConnection(plain + setting, "SA", ""));
        SQLException asFirst = assertThrows(SQLException.class, () -> connect(setting));
        assertEquals(alone.getErrorCode(), asFirst.getErrorCode(), asFirst.getMessage());
        try (Connection first = connect("")) {
            SQLException asLater = assertThrows(SQLException.class, () -> connect(setting));
            assertEquals(alone.getErrorCode(), asLater.getErrorCode(), asLater.getMessage());
            assertNoneMadeAnew(first);
        }
    }

    private static long[] served(Connection connection) throws SQLException {
        long[] served = new long[REPLICAS];
        try (Statement statement = connection.createStatement();
                ResultSet nodes = statement.executeQuery("SHOW MULTIMED NODES")) {
            for (int i = 0; nodes.next(); i++) {
                served[i] = nodes.getLong("SERVED");
            }
        }
        return served;
    }

    private static boolean lags(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet nodes = statement.executeQuery("SHOW MULTIMED NODES")) {
            boolean lags = false;
            while (nodes.next()) {
                lags |= nodes.getLong("LAG") != 0;
            }
            return lags;
        }
    }

    @Test
    @Timeout(120)
    void eachConnectionReadsByItsOwnPolicy() throws Exception {
        try (Connection first = connect(";policy=sticky");
                Connection later = connect(";policy=round-robin")) {
            execute(first, "CREATE TABLE T(A INT)");
            // A Satellite that still applies the definition is passed over.
            while (lags(first)) {
                TimeUnit.MILLISECONDS.sleep(5);
            }
            long[] before = served(first);
            for (int i = 0; i < 10; i++) {
                assertEquals("0", value(later, "SELECT COUNT(*) FROM T"));
            }
            long[] after = served(first);
            // SHOW MULTIMED NODES is a read, too.
            assertTrue(after[1] - before[1] >= 5, "half of them");
            assertTrue(after[2] - before[2] >= 5, "half of them");
            for (int i = 0; i < 10; i++) {
                assertEquals("0", value(first, "SELECT COUNT(*) FROM T"));
            }
            long[] then = served(first);
            assertEquals(0, Math.min(then[1] - after[1], then[2] - after[2]), "on one of them");
        }
    }

    @Test
    void aDatabaseThatMustExistMust() throws SQLException {
        SQLException missing = assertThrows(SQLException.class, () -> connect(";IFEXISTS=TRUE"));
        assertEquals(90146, missing.getErrorCode());
        try (Connection first = connect("");
                Connection later = connect(";IFEXISTS=TRUE")) {
            execute(first, "CREATE TABLE T(A INT)");
            assertEquals("0", value(later, "SELECT COUNT(*) FROM T"));
        }
    }

    @Test
    void whoIsNoAdministratorMayNotChangeTheDatabasesSettings() throws SQLException {
        try (Connection first = connect("")) {
            execute(first, "CREATE USER JOE PASSWORD 'secret'");
            SQLException refused = assertThrows(
                    SQLException.class, () -> DriverManager.getConnection(database + ";MODE=Oracle", "JOE", "secret"));
            assertEquals(90040, refused.getErrorCode());
            assertEquals("regular", value(first, ORACLE));
            try (Connection joe = DriverManager.getConnection(database, "JOE", "secret")) {
                assertTrue(joe.isValid(5));
            }
        }
    }
}
