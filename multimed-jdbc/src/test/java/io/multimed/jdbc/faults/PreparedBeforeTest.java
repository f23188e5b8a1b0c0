package io.multimed.jdbc.faults;

import static io.multimed.jdbc.Sql.execute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.jdbc.faults.MasterEndsTest.Death;
import java.io.StringReader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.jdbc.JdbcPreparedStatement;
import org.hsqldb.Database;
import org.hsqldb.jdbc.JDBCConnection;
import org.hsqldb.jdbc.JDBCPreparedStatement;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that an application's prepared statements outlive the nodes on which they were prepared. */
class PreparedBeforeTest {
    static {
        System.setProperty("derby.stream.error.file", "target/derby.log");
    }

    private static final Duration DEADLINE = Duration.ofSeconds(60);

    @TempDir
    private static Path directory;

    private final String name = directory.resolve(UUID.randomUUID().toString()).toString();

    private static int number(PreparedStatement prepared) throws SQLException {
        try (ResultSet rows = prepared.executeQuery()) {
            assertTrue(rows.next());
            return rows.getInt(1);
        }
    }

    private static void endMaster(Death death, String name, Connection connection) throws SQLException {
        death.ends(name, connection);
        try {
            execute(connection, "INSERT INTO T VALUES (3)");
        } catch (SQLTransientException e) {
            execute(connection, "INSERT INTO T VALUES (3)");
        }
    }

    @ParameterizedTest
    @EnumSource(Death.class)
    void theyAreSetAndExecutedOnTheNextMaster(Death death) throws SQLException {
        try (Connection connection = DriverManager.getConnection(death.url(name))) {
            execute(connection, "CREATE TABLE T(A INT NOT NULL)", "INSERT INTO T VALUES (1)");
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO T VALUES (?)");
                    PreparedStatement set = connection.prepareStatement("INSERT INTO T VALUES (?)");
                    PreparedStatement read = connection.prepareStatement("SELECT COUNT(*) FROM T WHERE A >= ?")) {
                insert.setInt(1, 2);
                assertEquals(1, insert.executeUpdate());
                set.setInt(1, 5);
                read.setInt(1, 1);
                assertEquals(2, number(read));
                endMaster(death, name, connection);
                insert.setQueryTimeout(30);
                insert.setInt(1, 4);
                assertEquals(1, insert.executeUpdate());
                assertEquals(1, set.executeUpdate(), "with the parameter that was set before");
                read.setFetchSize(7);
                assertEquals(5, number(read));
                read.setInt(1, 4);
                assertEquals(2, number(read));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Death.class,
            names = {"H2_FAILURE", "HSQLDB_FAILURE"})
    void whatTheNextMasterCannotKnowMustBeGivenAgain(Death death) throws SQLException {
        try (Connection connection = DriverManager.getConnection(death.url(name))) {
            execute(connection, "CREATE TABLE T(A INT NOT NULL)", "CREATE TABLE U(A INT, B VARCHAR(10))");
            try (PreparedStatement batch = connection.prepareStatement("INSERT INTO T VALUES (?)");
                    PreparedStatement stream = connection.prepareStatement("INSERT INTO U VALUES (?, ?)")) {
                batch.setInt(1, 1);
                batch.addBatch();
                stream.setInt(1, 1);
                stream.setCharacterStream(2, new StringReader("x"));
                endMaster(death, name, connection);
                batch.setInt(1, 2);
                batch.addBatch();
                assertThrows(SQLTransientException.class, batch::executeBatch);
                assertThrows(SQLTransientException.class, stream::executeUpdate);
                for (int i = 1; i <= 2; i++) {
                    batch.setInt(1, i);
                    batch.addBatch();
                }
                assertEquals(2, batch.executeBatch().length);
                stream.setInt(1, 1);
                stream.setCharacterStream(2, new StringReader("x"));
                assertEquals(1, stream.executeUpdate());
            }
            try (PreparedStatement rows = connection.prepareStatement("SELECT COUNT(*) FROM T")) {
                assertEquals(3, number(rows));
            }
        }
    }

    private static Connection node(PreparedStatement prepared) throws SQLException {
        return prepared.isWrapperFor(JdbcPreparedStatement.class)
                ? prepared.unwrap(JdbcPreparedStatement.class).getConnection()
                : prepared.unwrap(JDBCPreparedStatement.class).getConnection();
    }

    private static void end(Connection node) {
        if (node instanceof JdbcConnection h2) {
            ((SessionLocal) h2.getSession()).getDatabase().shutdownImmediately();
        } else {
            ((org.hsqldb.Session) ((JDBCConnection) node).getSession())
                    .getDatabase()
                    .close(Database.CLOSEMODE_IMMEDIATELY);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void theyAreSetAndExecutedWhenTheirSatelliteWasReplaced(String engine) throws Exception {
        String url = "jdbc:multimed:" + engine + ":mem:" + name + ";user=SA;password=;replicas=2";
        try (Connection connection = DriverManager.getConnection(url)) {
            execute(connection, "CREATE TABLE T(A INT)", "INSERT INTO T VALUES (1)", "INSERT INTO T VALUES (2)");
            try (PreparedStatement idle = connection.prepareStatement("SELECT COUNT(*) FROM T WHERE A >= ? AND A > ?");
                    PreparedStatement busy = connection.prepareStatement("SELECT MAX(A) FROM T");
                    Statement plain = connection.createStatement()) {
                idle.setInt(1, 1);
                idle.setInt(2, 0);
                assertEquals(2, number(idle));
                assertTrue(plain.execute("SELECT A FROM T"));
                assertEquals(2, number(busy));
                Connection satellite = node(busy);
                end(satellite);
                // The session that finds another Satellite in its place closes its connection.
                long deadline = System.nanoTime() + DEADLINE.toNanos();
                do {
                    assertEquals(2, number(busy));
                    assertTrue(System.nanoTime() < deadline, "the Satellite was not replaced");
                    Thread.sleep(1);
                } while (!satellite.isClosed());
                plain.setFetchSize(7);
                assertTrue(plain.execute("SELECT A FROM T"));
                idle.setInt(1, 2);
                assertEquals(1, number(idle));
                idle.setQueryTimeout(30);
                assertEquals(1, number(idle));
            }
        }
    }
}
