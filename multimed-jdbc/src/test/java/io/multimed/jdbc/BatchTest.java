package io.multimed.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a batch has done is the same on all nodes, whatever stands in it and however it was put together. */
class BatchTest {
    private final String database = UUID.randomUUID().toString().replace("-", "");

    private Connection connect(String engine) throws SQLException {
        return DriverManager.getConnection("jdbc:multimed:" + engine + ":mem:" + database + ";replicas=3", "SA", "");
    }

    private static void execute(Connection connection, String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static String onSatellite(Connection connection, String sql) throws SQLException {
        String seen = value(connection, sql);
        assertEquals("satellite: a read by itself", value(connection, "SHOW multimed.route"));
        return seen;
    }

    private static String value(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            return result.next() ? String.valueOf(result.getString(1)) : "no row";
        }
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
