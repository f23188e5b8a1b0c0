package io.multimed.engine.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.engine.embedded.registry.EmbeddedDatabases;
import io.multimed.model.Freshness;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A database with replicas, used as the JDBC driver would use it, with one session for updates and one per Satellite for reads. */
final class Replicas implements AutoCloseable {
    private static final long COMPARED_NANOS = TimeUnit.SECONDS.toNanos(60);

    final EmbeddedOptions options;
    final Properties credentials = new Properties();
    final EmbeddedSession writer;
    final List<EmbeddedSession> readers = new ArrayList<>();

    Replicas(String url, int replicas) throws SQLException {
        options = new EmbeddedOptions(url, replicas, ReadPolicy.STICKY, Freshness.STRONG, Duration.ofSeconds(2), 50);
        credentials.setProperty("user", "SA");
        credentials.setProperty("password", "");
        writer = session();
        for (int i = 1; i < replicas; i++) {
            readers.add(session());
        }
    }

    EmbeddedSession session() throws SQLException {
        return EmbeddedDatabases.connect(options, credentials, ReplicaListener.NONE);
    }

    /** Executes a statement that changes rows. */
    void update(String sql, Object... parameters) throws SQLException {
        update(writer, sql, parameters);
    }

    static void update(EmbeddedSession session, String sql, Object... parameters) throws SQLException {
        session.beforeUpdate();
        try (PreparedStatement statement = session.master().prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setObject(i + 1, parameters[i]);
            }
            statement.execute();
        } catch (SQLException e) {
            throw session.failedOnMaster(e);
        } finally {
            session.afterUpdate();
        }
    }

    /** Executes statements that change the catalog. */
    void ddl(String... statements) throws SQLException {
        for (String sql : statements) {
            ddl(writer, sql);
        }
    }

    static void ddl(EmbeddedSession session, String sql) throws SQLException {
        session.changeCatalog(sql, () -> {
            try (Statement statement = session.master().createStatement()) {
                return statement.execute(sql);
            }
        });
    }

    /** Returns rows as text, sorted, read on a Satellite. */
    static List<String> read(EmbeddedSession session, String sql) throws SQLException {
        Replica replica = session.beginRead(true);
        try {
            assertFalse(replica.onMaster(), "read on the master");
            return rows(replica.connection(), sql);
        } catch (SQLException e) {
            throw replica.failed(e);
        } finally {
            replica.endRead();
        }
    }

    /**
     * Executes definitions and changes. Compares the results of the queries after each, including errors such as a missing table.
     */
    void stepByStep(List<String> queries, String... statements) throws SQLException {
        for (String sql : statements) {
            if (sql.matches("(?:INSERT|UPDATE|DELETE) .*")) {
                update(sql);
            } else {
                ddl(sql);
            }
            assertSameAnswers(queries, sql);
        }
    }

    void assertSameAnswers(List<String> queries, String after) throws SQLException {
        for (String query : queries) {
            assertSameAnswer(query, after);
        }
        assertServing();
        assertNoneMadeAnew();
    }

    private void assertSameAnswer(String query, String after) throws SQLException {
        List<String> onMaster;
        try {
            onMaster = rows(writer.master(), query);
        } catch (SQLException e) {
            for (EmbeddedSession reader : readers) {
                SQLException there =
                        assertThrows(SQLException.class, () -> read(reader, query), query + " after " + after);
                assertEquals(e.getSQLState(), there.getSQLState(), query + " after " + after);
            }
            return;
        } finally {
            writer.rollback();
        }
        for (EmbeddedSession reader : readers) {
            assertEquals(onMaster, read(reader, query), query + " after " + after);
        }
    }

    static List<String> rows(Connection connection, String sql) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                StringBuilder row = new StringBuilder();
                for (int i = 1; i <= columns; i++) {
                    row.append(text(result, i)).append('|');
                }
                rows.add(row.toString());
            }
        }
        Collections.sort(rows);
        return rows;
    }

    private static String text(ResultSet result, int column) throws SQLException {
        Object value = result.getObject(column);
        if (value instanceof Clob clob) {
            return clob.getSubString(1, (int) clob.length());
        }
        if (value instanceof Blob blob) {
            return HexFormat.of().formatHex(blob.getBytes(1, (int) blob.length()));
        }
        return String.valueOf(result.getString(column));
    }

    /** Asserts that every Satellite shows the same rows as the Master. */
    void assertIdentical(String... tables) throws SQLException {
        for (String table : tables) {
            String sql = "SELECT * FROM " + table;
            List<String> master = rows(writer.master(), sql);
            for (EmbeddedSession reader : readers) {
                assertEquals(master, read(reader, sql), table);
            }
        }
        writer.rollback();
    }

    /**
     * Waits until every Satellite has been compared with the Master once more, from the first table to the last, and asserts that
     * it is equal.
     */
    void assertFoundEqual() throws SQLException {
        ComparisonStatus begun = writer.database().comparisons();
        long deadline = System.nanoTime() + COMPARED_NANOS;
        // The passes that were under way may have begun before the last change.
        while (writer.database().comparisons().passes() < begun.passes() + 2L * readers.size()) {
            assertTrue(
                    System.nanoTime() - deadline < 0,
                    () -> "compared in time, not only " + writer.database().comparisons());
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        assertEquals(
                0,
                writer.database().comparisons().differences(),
                () -> writer.database().nodes().toString());
    }

    /** Asserts that every node is in rotation. */
    void assertServing() {
        for (EmbeddedNodeStatus node : writer.database().nodes()) {
            assertEquals("serving", node.state(), node.toString());
        }
    }

    /** Asserts that every Satellite still has its first engine, so that none has failed to follow. */
    void assertNoneMadeAnew() {
        for (EmbeddedNodeStatus node : writer.database().nodes()) {
            assertEquals(1, node.engines(), node.toString());
        }
    }

    @Override
    public void close() throws SQLException {
        for (EmbeddedSession reader : readers) {
            reader.close();
        }
        writer.close();
    }
}
