package io.multimed.jdbc;

import static io.multimed.jdbc.Sql.execute;
import static io.multimed.jdbc.Sql.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that each connection to HSQLDB has the options of its own URL, even if the database is open already, with and without
 * replicas.
 */
@ParameterizedClass
@ValueSource(strings = {"", "multimed:"})
class OptionsOfHsqldbTest {
    @Parameter
    String driver;

    private final String database = UUID.randomUUID().toString();

    private Connection connect(String options) throws SQLException {
        return connect(options, new Properties());
    }

    private Connection connect(String options, Properties properties) throws SQLException {
        // With one Satellite, all reads of a session run on the same engine, which keeps or closes their results.
        String replicas = driver.isEmpty() ? "" : ";replicas=2";
        return DriverManager.getConnection(
                "jdbc:" + driver + "hsqldb:mem:" + database + options + replicas, properties);
    }

    @AfterEach
    void shutDown() throws SQLException {
        try (Connection connection = connect("")) {
            execute(connection, "SHUTDOWN");
        }
    }

    private void assertOnSatellite(Connection connection) throws SQLException {
        if (!driver.isEmpty()) {
            assertEquals("satellite: a read by itself", value(connection, "SHOW multimed.route"));
        }
    }

    private static String nameOfColumn(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT A AS X FROM T")) {
            return result.getMetaData().getColumnName(1);
        }
    }

    private void assertNameOfColumn(String expected, Connection connection) throws SQLException {
        assertEquals(expected, nameOfColumn(connection));
        assertOnSatellite(connection);
        connection.setAutoCommit(false);
        assertEquals(expected, nameOfColumn(connection), "on the Master");
        connection.rollback();
    }

    @ParameterizedTest
    @CsvSource({"'', ';get_column_name=false', A, X", "';get_column_name=false', '', X, A"})
    void namesOfColumnsAreThoseThatTheConnectionAsksFor(String one, String other, String ofOne, String ofOther)
            throws SQLException {
        try (Connection first = connect(one);
                Connection second = connect(other)) {
            execute(first, "CREATE TABLE T(A INT)", "INSERT INTO T VALUES (1)");
            assertNameOfColumn(ofOne, first);
            assertNameOfColumn(ofOther, second);
        }
    }

    @ParameterizedTest
    @CsvSource({"'', ';close_result=true', false, true", "';close_result=true', '', true, false"})
    void whetherResultsAreClosedTheConnectionSays(String one, String other, boolean ofOne, boolean ofOther)
            throws SQLException {
        try (Connection first = connect(one);
                Connection second = connect(other)) {
            execute(first, "CREATE TABLE T(A INT)", "INSERT INTO T VALUES (1)");
            assertEquals(ofOne, closesResults(first));
            assertEquals(ofOther, closesResults(second));
        }
    }

    private boolean closesResults(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            ResultSet before = statement.executeQuery("SELECT A FROM T");
            statement.executeQuery("SELECT A FROM T");
            boolean closed = before.isClosed();
            assertOnSatellite(connection);
            return closed;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anEmptyBatchIsAllowedToWhoAsksForIt(boolean first) throws SQLException {
        try (Connection one = connect(first ? ";allow_empty_batch=true" : "");
                Connection other = connect(first ? "" : ";allow_empty_batch=true")) {
            execute(one, "CREATE TABLE T(A INT)");
            try (PreparedStatement allowed = (first ? one : other).prepareStatement("INSERT INTO T VALUES (?)");
                    PreparedStatement refused = (first ? other : one).prepareStatement("INSERT INTO T VALUES (?)")) {
                assertEquals(0, allowed.executeBatch().length);
                assertThrows(SQLException.class, refused::executeBatch);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"get_column_name", "GET_COLUMN_NAME"})
    void propertiesWinOverTheUrl(String name) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty(name, "false");
        try (Connection first = connect(";get_column_name=true");
                Connection second = connect(";get_column_name=true", properties)) {
            execute(first, "CREATE TABLE T(A INT)", "INSERT INTO T VALUES (1)");
            assertNameOfColumn("A", first);
            // HSQLDB knows options only by their names in lower case.
            assertNameOfColumn(name.equals("get_column_name") ? "X" : "A", second);
        }
    }

    /** Options of the database apply only to the connection that opens it. */
    @ParameterizedTest
    @ValueSource(
            strings = {";ifexists=true", ";create=false", ";hsqldb.tx=mvcc", ";sql.nulls_first=false", ";shutdown=true"
            })
    void whatConcernsTheDatabaseIsNotHeededLater(String option) throws SQLException {
        try (Connection first = connect("")) {
            execute(first, "CREATE TABLE T(A INT)", "INSERT INTO T VALUES (1)", "INSERT INTO T VALUES (NULL)");
            try (Connection later = connect(option)) {
                assertEquals("null", value(later, "SELECT A FROM T ORDER BY A"));
                assertOnSatellite(later);
            }
        }
        try (Connection later = connect(";ifexists=true")) {
            assertEquals("2", value(later, "SELECT COUNT(*) FROM T"), "it is there without connections");
        }
    }

    @ParameterizedTest
    @CsvSource({"'', '?user=b&password=b', SA, b", "'?user=b&password=b', '', b, SA"})
    void whoConnectsTheOwnUrlSays(String one, String other, String ofOne, String ofOther) throws SQLException {
        try (Connection first = connect("")) {
            execute(first, "CREATE USER \"b\" PASSWORD 'b' ADMIN");
        }
        try (Connection first = connect(one);
                Connection second = connect(other)) {
            assertEquals(ofOne, value(first, "CALL CURRENT_USER"));
            assertEquals(ofOther, value(second, "CALL CURRENT_USER"));
        }
    }
}
