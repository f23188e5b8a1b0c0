package io.multimed.jdbc.history;

import static io.multimed.jdbc.Sql.execute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the promotion of a Satellite to Master while a session has a transaction open there. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReadersOfANewMasterTest {
    private static long count(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT COUNT(*) FROM T")) {
            result.next();
            return result.getLong(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb"})
    void nobodyWaitsForATransactionThatStaysOpenAndItHasItsSnapshotOrFails(String engine) throws Exception {
        String url = "jdbc:multimed:" + engine + ":mem:" + UUID.randomUUID() + ";replicas=3;policy=round-robin";
        List<Connection> readers = new ArrayList<>();
        try (Connection owner = DriverManager.getConnection(url, "SA", "")) {
            execute(owner, "CREATE TABLE T(A INT)", "INSERT INTO T VALUES (1)");
            for (int i = 0; i < 4; i++) {
                Connection reader = DriverManager.getConnection(url, "SA", "");
                readers.add(reader);
                reader.setReadOnly(true);
                reader.setAutoCommit(false);
                assertEquals(1, count(reader));
            }
            EngineKiller.kill(EngineKiller.physical(owner));
            execute(owner, "INSERT INTO T VALUES (2)");
            assertEquals(2, count(owner));
            for (Connection reader : readers) {
                try {
                    assertEquals(1, count(reader));
                } catch (SQLException e) {
                    assertTrue(e instanceof SQLTransientException, e.toString());
                }
                reader.rollback();
                assertEquals(2, count(reader));
                reader.rollback();
            }
            execute(owner, "SHUTDOWN");
        } finally {
            for (Connection reader : readers) {
                reader.close();
            }
        }
    }
}
