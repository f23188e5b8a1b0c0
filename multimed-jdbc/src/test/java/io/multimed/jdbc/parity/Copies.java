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
 * What each replica of a database holds, seen through connections of its own. Answers alone would not tell that a Satellite
 * has failed and was made anew.
 */
final class Copies implements AutoCloseable {
    private static final String TABLES = "SELECT TABLE_SCHEMA, TABLE_NAME FROM INFORMATION_SCHEMA.TABLES"
            + " WHERE TABLE_SCHEMA NOT IN ('INFORMATION_SCHEMA', 'SYSTEM_LOBS') AND TABLE_TYPE = 'BASE TABLE'";
    /** A Satellite that is applying may leave its turn to another one. */
    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Connection master;
    private final Connection satellites;
    private final int replicas;

    /** @param url of the database, with the number of its replicas */
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

    /** All tables are the same everywhere, row by row, and no Satellite was made anew to get there. */
    void assertIdentical() throws SQLException {
        if (replicas == 1) {
            return;
        }
        try {
            List<String> tables = tables();
            List<String> expected = contents(master, tables);
            Map<String, Long> before = served();
            // Without tables there is nothing to compare; whether all have followed shows the next time.
            long begun = System.nanoTime();
            while (!tables.isEmpty() && !allServed(before)) {
                assertTrue(System.nanoTime() - begun < DEADLINE_NANOS, "not every satellite is read");
                // What is not recognised as a read, such as one of the catalog, would begin on the Master.
                rows(satellites, "VALUES (0)");
                assertEquals(expected, contents(satellites, tables));
                satellites.commit();
            }
        } finally {
            // An open transaction would be in the way of what comes next.
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

    /** By Satellite, how many reads; each is the one that was made first. */
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
