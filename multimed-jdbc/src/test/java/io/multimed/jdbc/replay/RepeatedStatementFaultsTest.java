package io.multimed.jdbc.replay;

import static io.multimed.jdbc.Sql.execute;
import static io.multimed.jdbc.Sql.rows;
import static io.multimed.jdbc.Sql.value;
import static io.multimed.jdbc.replay.RepeatedDatabase.assertEqualNow;
import static io.multimed.jdbc.replay.RepeatedDatabase.connect;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that a replica that fails or diverges from the Master is dropped and rebuilt. */
@Tag("slow")
class RepeatedStatementFaultsTest {
    private final String table = "T" + UUID.randomUUID().toString().replace("-", "");

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        // One makes the number of rows differ; the other makes a statement fail.
        "DERBY,  DELETE FROM %s WHERE A = 1",
        "DERBY,  DROP TABLE %s",
        "SQLITE, DELETE FROM %s WHERE A = 1",
        "SQLITE, DROP TABLE %s",
        "DUCKDB, DELETE FROM %s WHERE A = 1",
        "DUCKDB, DROP TABLE %s"
    })
    void aReplicaThatDivergesIsMadeAnew(RepeatedDatabase engine, String damage) throws Exception {
        String url = engine.url(directory, 2);
        try (Connection connection = connect(url)) {
            execute(connection, "CREATE TABLE " + table + "(A INT)", "INSERT INTO " + table + " VALUES (1)");
            assertEquals("1", value(connection, "SELECT COUNT(*) FROM " + table));
            damageReplica(engine, String.format(damage, table));
            execute(connection, "UPDATE " + table + " SET A = 2");
            // A reader detects the fault, and the Master answers it meanwhile.
            while (!rows(connection, "SHOW MULTIMED NODES")
                    .get(1)
                    .matches("satellite-?1\\|.*\\|serving\\|.*\\|2\\|.*")) {
                assertEquals("2", value(connection, "SELECT A FROM " + table));
            }
            assertEqualNow(url, 2, table);
        }
    }

    /** As docs/jdbc.md says: a replica does not have it until a change meets other rows there than on the Master. */
    @ParameterizedTest
    @EnumSource(names = {"DERBY", "SQLITE"})
    void whatAConnectionHasChangedThatBypassesMultimedIsFoundByTheNextChangeOfItsRows(RepeatedDatabase engine)
            throws Exception {
        String url = engine.url(directory, 2);
        try (Connection connection = connect(url)) {
            execute(connection, "CREATE TABLE " + table + "(A INT)", "INSERT INTO " + table + " VALUES (1)");
            String own = url.replace("multimed:", "").replaceFirst(";(create|replicas).*", "");
            try (Connection beside = DriverManager.getConnection(own)) {
                execute(beside, "INSERT INTO " + table + " VALUES (2)");
            }
            assertEquals("1", value(connection, "SELECT COUNT(*) FROM " + table), "the replica does not have it");
            execute(connection, "UPDATE " + table + " SET A = A + 10");
            while (!rows(connection, "SHOW MULTIMED NODES")
                    .get(1)
                    .matches("satellite-?1\\|.*\\|serving\\|.*\\|2\\|.*")) {
                assertEquals("2", value(connection, "SELECT COUNT(*) FROM " + table), "the Master answers meanwhile");
            }
            assertEqualNow(url, 2, table);
        }
    }

    @Test
    void keysThatSqliteDrawsAtRandomAreFoundOut() throws SQLException {
        String url = RepeatedDatabase.SQLITE.url(directory, 2);
        try (Connection connection = connect(url)) {
            execute(
                    connection,
                    "CREATE TABLE T(A INTEGER PRIMARY KEY, B INT)",
                    "INSERT INTO T VALUES (9223372036854775807, 1)");
            execute(connection, "INSERT INTO T(B) VALUES (2)");
            String drawn;
            connection.setAutoCommit(false);
            drawn = value(connection, "SELECT A FROM T WHERE B = 2");
            connection.rollback();
            connection.setAutoCommit(true);
            do {
                assertEquals(drawn, value(connection, "SELECT A FROM T WHERE B = 2"));
            } while (!value(connection, "SHOW multimed.route").startsWith("satellite"));
            assertEqualNow(url, 2, "T");
        }
    }

    private void damageReplica(RepeatedDatabase engine, String sql) throws SQLException {
        try (Connection replica = DriverManager.getConnection(replica(engine), engine.ofReplicas())) {
            execute(replica, sql);
        }
    }

    /** Returns the engine's own URL of the replica that has this test's table. */
    private String replica(RepeatedDatabase engine) {
        List<String> found = new ArrayList<>();
        for (String url : engine.replicas()) {
            try (Connection replica = DriverManager.getConnection(url, engine.ofReplicas())) {
                value(replica, "SELECT COUNT(*) FROM " + table);
                found.add(url);
            } catch (SQLException e) {
                // The replica belongs to another test.
            }
        }
        assertEquals(1, found.size());
        return found.get(0);
    }

    /** Derby reports the conflict when rows are fetched, not before. */
    @Test
    void aReadThatMeetsTheLocksOfAReplicaIsAnsweredByTheMaster() throws SQLException {
        String url = RepeatedDatabase.DERBY.url(directory, 2);
        String read = "SELECT B FROM " + table + " WHERE A = 1";
        try (Connection connection = connect(url)) {
            execute(
                    connection,
                    "CREATE TABLE " + table + "(A INT PRIMARY KEY, B INT)",
                    "INSERT INTO " + table + " VALUES (1, 1), (2, 2)");
            assertEquals("1", value(connection, read));
            try (Connection applying = DriverManager.getConnection(replica(RepeatedDatabase.DERBY))) {
                applying.setAutoCommit(false);
                execute(applying, "UPDATE " + table + " SET B = 9 WHERE A = 1");
                assertEquals("1", value(connection, read));
                assertTrue(value(connection, "SHOW multimed.route").startsWith("master"));
                applying.rollback();
            }
            execute(connection, "UPDATE " + table + " SET B = 2 WHERE A = 1");
            assertEquals("2", value(connection, read));
            assertEquals("satellite: a read by itself", value(connection, "SHOW multimed.route"));
            assertEqualNow(url, 2, table);
        }
    }

    @Test
    void aMasterInMemoryIsReplacedByAReplicaThatHasEverything() throws SQLException {
        String url = RepeatedDatabase.DERBY.url(directory, 3);
        String name = url.substring("jdbc:multimed:".length(), url.indexOf(";create"));
        try (Connection connection = connect(url)) {
            execute(connection, "CREATE TABLE T(A INT)");
            for (int i = 1; i <= 20; i++) {
                execute(connection, "INSERT INTO T VALUES (" + i + ")");
            }
            assertThrows(SQLException.class, () -> DriverManager.getConnection("jdbc:" + name + ";drop=true"));
            // No transaction was open, so the application gets no error.
            assertEquals("20", value(connection, "SELECT COUNT(*) FROM T"));
            execute(connection, "INSERT INTO T VALUES (21)");
            assertEquals("21", value(connection, "SELECT COUNT(*) FROM T"));
        }
    }
}
