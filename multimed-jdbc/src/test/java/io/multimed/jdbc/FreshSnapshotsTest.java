package io.multimed.jdbc;

import static io.multimed.jdbc.Sql.execute;
import static io.multimed.jdbc.Sql.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.jdbc.replay.RepeatedDatabase;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests questions about rows after the read that found them has ended. To answer, an engine may begin a transaction on the
 * replica's connection, with a snapshot of that moment.
 */
class FreshSnapshotsTest {
    @TempDir
    Path directory;

    private String url(String engine) {
        String name = UUID.randomUUID().toString();
        return switch (engine) {
            case "h2", "hsqldb" -> "jdbc:multimed:" + engine + ":mem:" + name + ";replicas=2;user=SA;password=";
            case "scripted" -> "jdbc:multimed:scripted:" + name + ";replicas=2;propagation=statements";
            default -> RepeatedDatabase.valueOf(engine).url(directory, 2);
        };
    }

    private static void ask(ResultSet rows) {
        try {
            assertTrue(rows.getMetaData().getColumnCount() > 0);
            rows.getMetaData().getCatalogName(1);
            rows.getStatement().getConnection().getCatalog();
        } catch (SQLException e) {
            // The end of the transaction has closed the rows.
            return;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb", "scripted", "DERBY", "SQLITE", "DUCKDB"})
    void aReadOnlyTransactionSeesWhatWasCommittedBefore(String engine) throws SQLException {
        String url = url(engine);
        try (Connection reader = DriverManager.getConnection(url);
                Connection writer = DriverManager.getConnection(url);
                Statement statement = reader.createStatement()) {
            execute(writer, "CREATE TABLE T(A INT)", "INSERT INTO T VALUES (0)");
            reader.setReadOnly(true);
            reader.setAutoCommit(false);
            for (int i = 0; i < 3; i++) {
                try (ResultSet rows = statement.executeQuery("SELECT A FROM T")) {
                    assertTrue(rows.next());
                    assertEquals(i, rows.getInt(1));
                    assertEquals("satellite: a read-only transaction", value(reader, "SHOW multimed.route"));
                    reader.commit();
                    ask(rows);
                }
                execute(writer, "UPDATE T SET A = A + 1");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "hsqldb", "scripted", "DERBY", "SQLITE", "DUCKDB"})
    void aQuerySeesWhatWasCommittedBefore(String engine) throws SQLException {
        String url = url(engine);
        try (Connection reader = DriverManager.getConnection(url);
                Connection writer = DriverManager.getConnection(url)) {
            execute(writer, "CREATE TABLE T(A INT)", "INSERT INTO T VALUES (0)");
            try (PreparedStatement query = reader.prepareStatement("SELECT A FROM T WHERE A >= ?")) {
                query.setInt(1, 0);
                for (int i = 0; i < 3; i++) {
                    try (ResultSet rows = query.executeQuery()) {
                        ask(rows);
                        assertTrue(rows.next());
                        assertEquals(i, rows.getInt(1));
                    }
                    execute(writer, "UPDATE T SET A = A + 1");
                }
            }
            assertEquals("satellite: a read by itself", value(reader, "SHOW multimed.route"));
        }
    }
}
