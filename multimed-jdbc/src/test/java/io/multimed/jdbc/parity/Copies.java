package io.multimed.jdbc.parity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Blob;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The contents of each replica of a database, read through separate connections. Query results alone would not show that a
 * Satellite has failed and was rebuilt.
 */
final class Copies implements AutoCloseable {
    private static final String TABLES = "SELECT TABLE_SCHEMA, TABLE_NAME FROM INFORMATION_SCHEMA.TABLES"
            + " WHERE TABLE_SCHEMA NOT IN ('INFORMATION_SCHEMA', 'SYSTEM_LOBS') AND TABLE_TYPE = 'BASE TABLE'";
    /** Limit for reading every Satellite: one that is applying changes may pass its turn to another one. */
    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Connection master;
    private final Connection satellites;
    private final int replicas;

    /**
     * Opens the connections.
     *
     * @param url of the database, with the number of its replicas
     */
    Copies(String url, int replicas) throws SQLException {
        this.replicas = replicas;
        master = connect(url);
        satellites = connect(url + ";policy=round-robin");
        satellites.setReadOnly(true);
    }

    private static Connection connect(String url) throws SQLException {
        Connection connection = DriverManager.getConnection(url, "SA", "");
        connection.setAutoCommit(false);
        return connection;
    }

    /** Asserts that all tables are the same on every node, row by row, and that no Satellite was rebuilt. */
    void assertIdentical() throws SQLException {
        if (replicas == 1) {
            return;
        }
        try {
            List<String> tables = tables();
            List<String> expected = contents(master, tables);
            Map<String, Long> before = served();
            // Without tables there is nothing to compare; the next call shows whether all nodes have followed.
            long begun = System.nanoTime();
            while (!tables.isEmpty() && !allServed(before)) {
                assertTrue(System.nanoTime() - begun < DEADLINE_NANOS, "not every satellite is read");
                // A read that is not recognised, such as one of the catalog, would begin on the Master.
                rows(satellites, "VALUES (0)");
                assertEquals(expected, contents(satellites, tables));
                satellites.commit();
            }
        } finally {
            // An open transaction would block later steps.
            satellites.rollback();
            master.rollback();
        }
    }

    private boolean allServed(Map<String, Long> before) throws SQLException {
        return served().entrySet().stream().allMatch(node -> node.getValue() > before.get(node.getKey()));
    }

    private List<String> tables() throws SQLException {
        List<String> tables = new ArrayList<>();
        try (Statement statement = master.createStatement();
                ResultSet result = statement.executeQuery(TABLES)) {
            while (result.next()) {
                tables.add(quoted(result.getString(1)) + "." + quoted(result.getString(2)));
            }
        }
        return tables;
    }

    private static List<String> contents(Connection connection, List<String> tables) throws SQLException {
        List<String> contents = new ArrayList<>();
        for (String table : tables) {
            contents.add(table);
            contents.addAll(rows(connection, "SELECT * FROM " + table));
        }
        return contents;
    }

    /** Returns the number of reads by Satellite, and asserts that each has its first engine. */
    private Map<String, Long> served() throws SQLException {
        Map<String, Long> served = new HashMap<>();
        try (Statement statement = master.createStatement();
                ResultSet nodes = statement.executeQuery("SHOW MULTIMED NODES")) {
            while (nodes.next()) {
                String detail = nodes.getString("NODE") + " " + nodes.getString("DETAIL");
                assertEquals("serving", nodes.getString("STATE"), detail);
                assertEquals(1, nodes.getInt("ENGINES"), detail);
                if (nodes.getString("ROLE").equals("satellite")) {
                    served.put(nodes.getString("NODE"), nodes.getLong("SERVED"));
                }
            }
        }
        assertEquals(replicas - 1, served.size());
        return served;
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    private static List<String> rows(Connection connection, String sql) throws SQLException {
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

    @Override
    public void close() throws SQLException {
        satellites.close();
        master.close();
    }
}
