package io.multimed.jdbc;

import static io.multimed.jdbc.Sql.execute;
import static io.multimed.jdbc.Sql.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests where a connection's statements run, and the state that it carries from node to node. */
class DriverSessionTest {
    private static final String SATELLITE = "satellite: a read by itself";
    private static final String SATELLITE_TRANSACTION = "satellite: a read-only transaction";

    private final String database = UUID.randomUUID().toString().replace("-", "");

    private Connection connect(String engine) throws SQLException {
        return connect(engine, 3);
    }

    private Connection connect(String engine, int replicas) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:multimed:" + engine + ":mem:" + database + ";replicas=" + replicas, "SA", "");
    }

    private static String route(Connection connection) throws SQLException {
        return value(connection, "SHOW multimed.route");
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void readsRunOnASecondaryAndSeeWhatWasJustCommitted(String engine) throws SQLException {
        try (Connection connection = connect(engine)) {
            execute(connection, "CREATE TABLE T(A INT)");
            for (int i = 1; i <= 50; i++) {
                execute(connection, "INSERT INTO T VALUES (" + i + ")");
                assertEquals(String.valueOf(i), value(connection, "SELECT MAX(A) FROM T"));
                assertEquals(SATELLITE, route(connection));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void aReadOnlyTransactionSeesOneSnapshot(String engine) throws SQLException {
        try (Connection reader = connect(engine);
                Connection writer = connect(engine)) {
            execute(writer, "CREATE TABLE T(A INT)", "INSERT INTO T VALUES (1)");
            reader.setReadOnly(true);
            reader.setAutoCommit(false);
            assertEquals("1", value(reader, "SELECT COUNT(*) FROM T"));
            execute(writer, "INSERT INTO T VALUES (2)");
            assertEquals("1", value(reader, "SELECT COUNT(*) FROM T"));
            reader.commit();
            assertEquals("2", value(reader, "SELECT COUNT(*) FROM T"));
            assertEquals(SATELLITE_TRANSACTION, route(reader));
            reader.rollback();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void aTransactionThatMayWriteReadsItsOwnChangesOnTheMaster(String engine) throws SQLException {
        try (Connection connection = connect(engine)) {
            execute(connection, "CREATE TABLE T(A INT)");
            connection.setAutoCommit(false);
            execute(connection, "INSERT INTO T VALUES (1)");
            assertEquals("1", value(connection, "SELECT COUNT(*) FROM T"));
            assertTrue(route(connection).startsWith("master"));
            connection.rollback();
            assertEquals("0", value(connection, "SELECT COUNT(*) FROM T"));
            connection.rollback();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void aChangeInAReadOnlyConnectionIsRefused(String engine) throws SQLException {
        try (Connection connection = connect(engine)) {
            execute(connection, "CREATE TABLE T(A INT)");
            connection.setReadOnly(true);
            SQLException refused =
                    assertThrows(SQLException.class, () -> execute(connection, "INSERT INTO T VALUES (1)"));
            assertEquals("25006", refused.getSQLState());
            assertEquals(
                    "25006",
                    assertThrows(SQLException.class, () -> execute(connection, "DROP TABLE T"))
                            .getSQLState());
            connection.setReadOnly(false);
            execute(connection, "INSERT INTO T VALUES (1)");
            assertEquals("1", value(connection, "SELECT COUNT(*) FROM T"));
        }
    }

    @ParameterizedTest
    @CsvSource({"h2, 1", "h2, 3", "hsqldb, 1", "hsqldb, 3"})
    void aConnectionThatBecomesReadOnlyInATransactionKeepsItsChanges(String engine, int replicas) throws SQLException {
        try (Connection connection = connect(engine, replicas);
                Connection other = connect(engine, replicas)) {
            execute(connection, "CREATE TABLE T(A INT)");
            connection.setAutoCommit(false);
            execute(connection, "INSERT INTO T VALUES (1)");
            connection.setReadOnly(true);
            assertEquals("1", value(connection, "SELECT COUNT(*) FROM T"));
            connection.commit();
            assertEquals("1", value(other, "SELECT COUNT(*) FROM T"));
            assertEquals("1", value(connection, "SELECT COUNT(*) FROM T"));
            connection.commit();
            connection.setReadOnly(false);
            execute(connection, "INSERT INTO T VALUES (2)");
            connection.setReadOnly(true);
            assertEquals("2", value(connection, "SELECT COUNT(*) FROM T"));
            connection.rollback();
            assertEquals("1", value(connection, "SELECT COUNT(*) FROM T"));
            connection.rollback();
        }
    }

    @Test
    void aReadOnlyTransactionOnTheMasterOutlastsAChangeOfTheCatalog() throws SQLException {
        try (Connection reader = connect("h2", 1);
                Connection writer = connect("h2", 1)) {
            execute(writer, "CREATE TABLE T(A INT)", "INSERT INTO T VALUES (1)");
            reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            reader.setReadOnly(true);
            reader.setAutoCommit(false);
            assertEquals("1", value(reader, "SELECT COUNT(*) FROM T"));
            execute(writer, "INSERT INTO T VALUES (2)", "CREATE TABLE U(A INT)");
            assertEquals("1", value(reader, "SELECT COUNT(*) FROM T"));
            reader.commit();
            assertEquals("2", value(reader, "SELECT COUNT(*) FROM T"));
            reader.commit();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void sequencesAdvanceOnTheMasterAlone(String engine) throws SQLException {
        try (Connection connection = connect(engine)) {
            execute(connection, "CREATE SEQUENCE S", "CREATE TABLE T(A INT)", "INSERT INTO T VALUES (1)");
            String first = value(connection, "SELECT NEXT VALUE FOR S FROM T");
            assertTrue(route(connection).startsWith("master"));
            connection.setReadOnly(true);
            String second = value(connection, "SELECT NEXT VALUE FOR S FROM T");
            assertEquals(Long.parseLong(first) + 1, Long.parseLong(second));
        }
    }

    @Test
    void aViewThatDrawsFromASequenceIsReadOnTheMaster() throws SQLException {
        try (Connection connection = connect("h2")) {
            execute(
                    connection,
                    "CREATE SEQUENCE S",
                    "CREATE VIEW V AS SELECT NEXT VALUE FOR S AS N FROM DUAL",
                    "CREATE VIEW W AS SELECT N FROM V",
                    "CREATE VIEW HARMLESS AS SELECT 1 AS N");
            assertEquals("1", value(connection, "SELECT N FROM V"));
            assertTrue(route(connection).startsWith("master"));
            assertEquals("2", value(connection, "SELECT N FROM W"));
            assertTrue(route(connection).startsWith("master"));
            assertEquals("1", value(connection, "SELECT N FROM HARMLESS"));
            assertEquals(SATELLITE, route(connection));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void aPreparedReadKeepsItsParametersWhenItMovesBetweenNodes(String engine) throws SQLException {
        try (Connection connection = connect(engine)) {
            execute(connection, "CREATE TABLE T(A INT, B VARCHAR(20))", "INSERT INTO T VALUES (1, 'x'), (2, 'y')");
            try (PreparedStatement prepared =
                    connection.prepareStatement("SELECT COUNT(*) FROM T WHERE A >= ? AND B <> ?")) {
                prepared.setInt(1, 1);
                prepared.setString(2, "none");
                assertEquals("2", valueOf(prepared));
                connection.setAutoCommit(false);
                execute(connection, "INSERT INTO T VALUES (3, 'z')");
                assertEquals("3", valueOf(prepared), "on the Master");
                prepared.setInt(1, 3);
                connection.commit();
                connection.setReadOnly(true);
                assertEquals("1", valueOf(prepared), "on a satellite, with the parameter set on the Master");
                connection.rollback();
                connection.setReadOnly(false);
                prepared.setCharacterStream(2, new StringReader("z"));
                assertEquals("0", valueOf(prepared), "a stream stays where it was set");
                connection.rollback();
                connection.setAutoCommit(true);
                assertEquals("0", valueOf(prepared), "and is not lost when the statement could move again");
                prepared.setString(2, "none");
                assertEquals("1", valueOf(prepared));
            }
        }
    }

    private static String valueOf(PreparedStatement prepared) throws SQLException {
        try (ResultSet result = prepared.executeQuery()) {
            assertTrue(result.next());
            return result.getString(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void aStatementThatClosesOnCompletionIsNotClosedByGoingOnElsewhere(String engine) throws SQLException {
        try (Connection connection = connect(engine);
                Statement statement = connection.createStatement()) {
            execute(connection, "CREATE TABLE T(A INT)", "INSERT INTO T VALUES (1)");
            statement.closeOnCompletion();
            assertTrue(statement.executeQuery("SELECT A FROM T").next(), "on a satellite");
            connection.setAutoCommit(false);
            assertTrue(statement.executeQuery("SELECT A FROM T").next(), "on the Master");
            connection.rollback();
            connection.setAutoCommit(true);
            assertTrue(statement.executeQuery("SELECT A FROM T").next(), "on the satellite again");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void theSchemaOfTheSessionIsFollowedOnSecondaries(String engine) throws SQLException {
        try (Connection connection = connect(engine)) {
            execute(connection, "CREATE SCHEMA S1", "CREATE TABLE S1.T(A INT)", "CREATE TABLE PUBLIC.T(A INT)");
            execute(connection, "INSERT INTO S1.T VALUES (7)");
            assertEquals("no row", value(connection, "SELECT A FROM T"));
            connection.setSchema("S1");
            assertEquals("7", value(connection, "SELECT A FROM T"));
            assertEquals(SATELLITE, route(connection));
            execute(connection, "SET SCHEMA PUBLIC");
            assertEquals("no row", value(connection, "SELECT A FROM T"));
            assertEquals(SATELLITE, route(connection));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void aConnectionIsThatOfTheUserInItsUrl(String engine) throws SQLException {
        String url = "jdbc:multimed:" + engine + ":mem:" + database + ";replicas=2;user=";
        try (Connection first = DriverManager.getConnection(url + "SA;password=")) {
            execute(first, "CREATE TABLE T(A INT)", "CREATE USER other PASSWORD 'secret'");
            try (Connection other = DriverManager.getConnection(url + "OTHER;password=secret")) {
                assertEquals("OTHER", other.getMetaData().getUserName());
                assertThrows(SQLException.class, () -> value(other, "SELECT A FROM T"));
            }
            SQLException refused =
                    assertThrows(SQLException.class, () -> DriverManager.getConnection(url + "OTHER;password=wrong"));
            assertEquals("28000", refused.getSQLState());
        }
    }

    @Test
    void aTemporaryTableKeepsTheSessionOnTheMaster() throws SQLException {
        try (Connection connection = connect("h2");
                Connection other = connect("h2")) {
            execute(connection, "CREATE TABLE T(A INT)", "CREATE LOCAL TEMPORARY TABLE MINE(A INT)");
            execute(connection, "INSERT INTO MINE VALUES (5)");
            assertEquals("5", value(connection, "SELECT A FROM MINE"));
            assertTrue(route(connection).startsWith("master"));
            assertEquals("no row", value(other, "SELECT A FROM T"));
            assertEquals(SATELLITE, route(other));
        }
    }

    @Test
    void aStatementThatFailsOnEveryEngineTakesNoneOutOfRotation() throws SQLException {
        try (Connection connection = connect("h2");
                Connection reader = connect("h2")) {
            execute(connection, "CREATE TABLE T(A VARCHAR)", "INSERT INTO T VALUES ('a')");
            reader.setReadOnly(true);
            reader.setAutoCommit(false);
            assertEquals("a", value(reader, "SELECT A FROM T"));
            assertEquals("no row", value(connection, "SELECT A FROM T WHERE REGEXP_LIKE(REPEAT(A, 5), '(a|b)*c')"));
            assertEquals(SATELLITE, route(connection));
            SQLException failed = assertThrows(
                    SQLException.class,
                    () -> value(connection, "SELECT A FROM T WHERE REGEXP_LIKE(REPEAT(A, 1000000), '(a|b)*c')"));
            assertEquals("HY000", failed.getSQLState());
            assertTrue(route(connection).startsWith("master"), "which has the last word");
            try (Statement statement = connection.createStatement();
                    ResultSet nodes = statement.executeQuery("SHOW MULTIMED NODES")) {
                while (nodes.next()) {
                    assertEquals("serving", nodes.getString("STATE"));
                    assertEquals(1, nodes.getInt("ENGINES"), "not made anew");
                }
            }
            assertEquals("a", value(reader, "SELECT A FROM T"));
            reader.commit();
            assertEquals("a", value(connection, "SELECT A FROM T"));
            assertEquals(SATELLITE, route(connection));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void freshnessIsChosenByTheSession(String engine) throws SQLException {
        try (Connection connection = connect(engine)) {
            assertEquals("strong", value(connection, "SHOW multimed.freshness"));
            execute(connection, "SET multimed.freshness = 'eventual:500ms'");
            assertEquals("eventual:500ms", value(connection, "SHOW multimed.freshness"));
            SQLException refused =
                    assertThrows(SQLException.class, () -> execute(connection, "SET multimed.freshness = 'stale'"));
            assertEquals("22023", refused.getSQLState());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void aConnectionMayChooseTheMasterForItsReads(String engine) throws SQLException {
        String url = "jdbc:multimed:" + engine + ":mem:" + database + ";replicas=3;route=";
        try (Connection first = DriverManager.getConnection(url + "auto", "SA", "");
                Connection second = DriverManager.getConnection(url + "master", "SA", "")) {
            execute(first, "CREATE TABLE T(A INT)", "INSERT INTO T VALUES (1)");
            assertEquals("1", value(first, "SELECT A FROM T"));
            assertEquals(SATELLITE, route(first));
            assertEquals("1", value(second, "SELECT A FROM T"));
            assertEquals("master: chosen by the connection", route(second));
            second.setReadOnly(true);
            second.setAutoCommit(false);
            assertEquals("1", value(second, "SELECT A FROM T"));
            assertEquals("master: chosen by the connection", route(second));
            SQLException refused = assertThrows(SQLException.class, () -> execute(second, "DELETE FROM T"));
            assertEquals("25006", refused.getSQLState());
            second.rollback();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void theNodesAreShownThroughTheConnectionAndJmx(String engine) throws Exception {
        ObjectName name = new ObjectName(
                "io.multimed:type=Database,name=" + ObjectName.quote("jdbc:" + engine + ":mem:" + database));
        try (Connection connection = connect(engine);
                Statement statement = connection.createStatement()) {
            try (ResultSet nodes = statement.executeQuery("SHOW MULTIMED NODES")) {
                int rows = 0;
                while (nodes.next()) {
                    assertEquals(rows == 0 ? "master" : "satellite", nodes.getString("ROLE"));
                    assertEquals("serving", nodes.getString("STATE"));
                    rows++;
                }
                assertEquals(3, rows);
            }
            CompositeData[] nodes =
                    (CompositeData[]) ManagementFactory.getPlatformMBeanServer().getAttribute(name, "Nodes");
            assertEquals(3, nodes.length);
        }
        // An HSQLDB database in memory stays open without connections.
        assertEquals(
                engine.equals("hsqldb"),
                ManagementFactory.getPlatformMBeanServer().isRegistered(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SCHEMA=S", "INIT=SET SCHEMA S", "SCHEMA_SEARCH_PATH=S,PUBLIC"})
    void secondariesReadInTheSchemaThatTheUrlSays(String setting) throws SQLException {
        try (Connection plain = DriverManager.getConnection("jdbc:h2:mem:" + database, "SA", "")) {
            execute(
                    plain,
                    "CREATE TABLE T(A INT)",
                    "INSERT INTO T VALUES (1)",
                    "CREATE SCHEMA S",
                    "CREATE TABLE S.T(A INT)",
                    "INSERT INTO S.T VALUES (2)");
            try (Connection connection = DriverManager.getConnection(
                    "jdbc:multimed:h2:mem:" + database + ";replicas=3;" + setting, "SA", "")) {
                String expected = setting.startsWith("SCHEMA_SEARCH") ? "1" : "2";
                assertEquals(expected, value(connection, "SELECT A FROM T"));
                assertEquals(SATELLITE, route(connection));
            }
        }
    }

    @Test
    void theDatabaseOfH2EndsWithItsLastConnection() throws SQLException {
        try (Connection connection = connect("h2")) {
            execute(connection, "CREATE TABLE T(A INT)");
        }
        try (Connection connection = connect("h2")) {
            assertThrows(SQLException.class, () -> value(connection, "SELECT * FROM T"));
        }
    }

    @Test
    void theDatabaseOfH2StaysIfItIsToldTo() throws SQLException {
        String url = "jdbc:multimed:h2:mem:" + database + ";DB_CLOSE_DELAY=-1;replicas=2";
        try (Connection connection = DriverManager.getConnection(url, "SA", "")) {
            execute(connection, "CREATE TABLE T(A INT)", "INSERT INTO T VALUES (4)");
        }
        try (Connection connection = DriverManager.getConnection(url, "SA", "")) {
            assertEquals("4", value(connection, "SELECT A FROM T"));
            execute(connection, "SHUTDOWN");
        }
    }

    @Test
    void theDatabaseOfHsqldbStaysUntilShutdown() throws SQLException {
        try (Connection connection = connect("hsqldb")) {
            execute(connection, "CREATE TABLE T(A INT)", "INSERT INTO T VALUES (4)");
        }
        try (Connection connection = connect("hsqldb")) {
            assertEquals("4", value(connection, "SELECT A FROM T"));
            execute(connection, "SHUTDOWN");
        }
        try (Connection connection = connect("hsqldb")) {
            assertThrows(SQLException.class, () -> value(connection, "SELECT A FROM T"));
            execute(connection, "SHUTDOWN");
        }
    }

    @Test
    void aWrongPasswordIsTheEnginesOwnError() throws SQLException {
        try (Connection connection = connect("h2")) {
            assertFalse(connection.isClosed());
            SQLException refused = assertThrows(
                    SQLException.class,
                    () -> DriverManager.getConnection(
                            "jdbc:multimed:h2:mem:" + database + ";replicas=3", "SA", "wrong"));
            assertEquals("28000", refused.getSQLState());
        }
    }
}
