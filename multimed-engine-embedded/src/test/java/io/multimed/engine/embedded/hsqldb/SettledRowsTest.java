package io.multimed.engine.embedded.hsqldb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.multimed.engine.embedded.EmbeddedOptions;
import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.engine.embedded.Replica;
import io.multimed.engine.embedded.ReplicaListener;
import io.multimed.engine.embedded.registry.EmbeddedDatabases;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.UUID;
import org.hsqldb.Row;
import org.hsqldb.Session;
import org.hsqldb.Table;
import org.hsqldb.jdbc.JDBCConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that rows of a Satellite that every snapshot sees have no versions, and that other rows have versions as long as a
 * snapshot needs them.
 */
class SettledRowsTest {
    private static final int LOADED = 100;

    private final EmbeddedOptions options = EmbeddedOptions.of("jdbc:hsqldb:mem:" + UUID.randomUUID(), 2);
    private final Properties credentials = new Properties();
    private EmbeddedSession writer;
    private EmbeddedSession reader;

    @BeforeEach
    void open() throws SQLException {
        credentials.setProperty("user", "SA");
        credentials.setProperty("password", "");
        writer = session();
        reader = session();
        String sql = "CREATE TABLE t(id INT PRIMARY KEY, v INT)";
        writer.changeCatalog(sql, () -> writer.master().createStatement().execute(sql));
        for (int i = 0; i < LOADED; i++) {
            update("INSERT INTO t VALUES(" + i + ", 0)");
        }
    }

    @AfterEach
    void close() throws SQLException {
        try (Statement statement = writer.master().createStatement()) {
            statement.execute("SHUTDOWN");
        }
        reader.close();
        writer.close();
    }

    @Test
    void whatIsAppliedWhileNobodyReadsKeepsNoVersions() throws SQLException {
        assertEquals(LOADED, count(reader));
        assertEquals(0, rowsWithVersions());
        update("UPDATE t SET v = 1 WHERE id < 50");
        update("DELETE FROM t WHERE id < 10");
        assertEquals(LOADED - 10, count(reader));
        assertEquals(0, rowsWithVersions());
    }

    @Test
    void whatIsAppliedBesideASnapshotKeepsItsVersionsUntilThatHasEnded() throws SQLException {
        assertEquals(LOADED, count(reader));
        try (EmbeddedSession other = session()) {
            Replica snapshot = other.beginRead(false);
            assertFalse(snapshot.onMaster());
            assertEquals(LOADED + "/0", countAndSum(snapshot.connection()));

            update("INSERT INTO t VALUES(1000, 0), (1001, 0)");
            update("UPDATE t SET v = 1 WHERE id < 50");
            update("DELETE FROM t WHERE id = 1000");
            update("UPDATE t SET v = 2 WHERE id = 3");

            assertEquals(LOADED + 1, count(reader));
            assertEquals(LOADED + "/0", countAndSum(snapshot.connection()));
            snapshot.endRead();
        }
        // With the next applied change, no snapshot needs the versions any more.
        update("INSERT INTO t VALUES(1002, 0)");
        assertEquals(LOADED + 2, count(reader));
        assertEquals(0, rowsWithVersions());
        Replica again = reader.beginRead(true);
        assertEquals(LOADED + 2 + "/51", countAndSum(again.connection()));
        again.endRead();
    }

    private EmbeddedSession session() throws SQLException {
        return EmbeddedDatabases.connect(options, credentials, ReplicaListener.NONE);
    }

    private void update(String sql) throws SQLException {
        writer.beforeUpdate();
        try (Statement statement = writer.master().createStatement()) {
            statement.execute(sql);
        } finally {
            writer.afterUpdate();
        }
    }

    /** Counts on the Satellite, which has then applied everything. */
    private static int count(EmbeddedSession session) throws SQLException {
        Replica replica = session.beginRead(true);
        assertFalse(replica.onMaster());
        try (Statement statement = replica.connection().createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM t")) {
            row.next();
            return row.getInt(1);
        } finally {
            replica.endRead();
        }
    }

    private static String countAndSum(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*), SUM(v) FROM t")) {
            row.next();
            return row.getInt(1) + "/" + row.getInt(2);
        }
    }

    private int rowsWithVersions() throws SQLException {
        Replica replica = reader.beginRead(true);
        try {
            Session session = HsqlFamily.session((JDBCConnection) replica.connection());
            Table table = session.getDatabase().schemaManager.getUserTable("T", "PUBLIC");
            int with = 0;
            for (Row row : HsqlTables.rows(table, session)) {
                with += row.rowAction != null ? 1 : 0;
            }
            return with;
        } finally {
            replica.endRead();
        }
    }
}
