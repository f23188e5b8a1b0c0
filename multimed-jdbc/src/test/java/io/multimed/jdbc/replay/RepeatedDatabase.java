package io.multimed.jdbc.replay;

import static io.multimed.jdbc.Sql.rows;
import static io.multimed.jdbc.Sql.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** A database of an engine whose statements are executed again, with helpers for tests. */
public enum RepeatedDatabase {
    DERBY,
    SQLITE,
    /** DuckDB, which Multimed knows only from the description {@code com.example.DuckDb}. */
    DUCKDB;

    private static final String MASTER = "master: not recognised as a read, or part of a transaction that may write";

    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** Columns of SHOW MULTIMED NODES. */
    private static final int NODE = 0;

    private static final int ROLE = 1;
    private static final int STATE = 2;
    private static final int SERVED = 7;
    private static final int ENGINES = 8;

    static {
        System.setProperty("derby.stream.error.file", "target/derby.log");
        // Derby checks for a deadlock only after 20 s by default.
        System.setProperty("derby.locks.deadlockTimeout", "1");
    }

    /** Returns the URL of a new database with that many replicas. */
    public String url(Path directory, int replicas) {
        String name = UUID.randomUUID().toString();
        assumeTrue(isHere(), "DuckDB is not here");
        String engine = switch (this) {
            case DERBY -> "derby:memory:" + name + ";create=true";
            case SQLITE -> "sqlite:" + directory.resolve(name);
            case DUCKDB -> "duckdb:memory:" + name;
        };
        return "jdbc:multimed:" + engine + ";replicas=" + replicas + ";propagation=statements";
    }

    /** Returns the engine's own URLs of all replicas in this process, except Masters. */
    public List<String> replicas() {
        File[] places = new File(System.getProperty("java.io.tmpdir"))
                .listFiles((parent, name) -> name.startsWith("multimed-"));
        List<String> urls = new ArrayList<>();
        for (File owned : places == null ? new File[0] : places) {
            File place = new File(owned, owned.getName());
            boolean sqlite = new File(place, "satellite").exists();
            boolean duckdb = new File(place, "memory").exists();
            if (this == (sqlite ? SQLITE : duckdb ? DUCKDB : DERBY)) {
                urls.add(
                        switch (this) {
                            case DERBY -> "jdbc:derby:memory:multimed-" + place.getName();
                            case SQLITE -> "jdbc:sqlite:" + place + "/satellite";
                            case DUCKDB -> "jdbc:duckdb:" + place + "/memory";
                        });
            }
        }
        return urls;
    }

    /** Returns the properties with which a replica is opened without Multimed. */
    public Properties ofReplicas() {
        Properties properties = new Properties();
        if (this == DUCKDB) {
            // All databases of one process must have the same settings.
            properties.setProperty("allowed_directories", "['" + System.getProperty("java.io.tmpdir") + "/']");
            properties.setProperty("enable_external_access", "false");
        }
        return properties;
    }

    /** Whether the engine is available. DuckDB has native code for some platforms only. */
    boolean isHere() {
        try {
            return this != DUCKDB || Class.forName("org.duckdb.DuckDBDriver") != null;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    static Connection connect(String url) throws SQLException {
        return DriverManager.getConnection(url);
    }

    /** Asserts that every Satellite shows the same rows as the Master, and has its first engine. */
    static void assertEqualEverywhere(String url, int replicas, String... tables) throws SQLException {
        assertEqualNow(url, replicas, tables);
        try (Connection connection = connect(url)) {
            for (String[] node : nodes(connection)) {
                assertEquals("serving", node[STATE], node[NODE]);
                assertEquals("1", node[ENGINES], node[NODE]);
            }
        }
    }

    /** Asserts that every Satellite shows the same rows as the Master. */
    static void assertEqualNow(String url, int replicas, String... tables) throws SQLException {
        try (Connection master = connect(url)) {
            assertEquals(replicas, nodes(master).size());
            for (String table : tables) {
                String sql = "SELECT * FROM " + table;
                // A transaction that may change something reads on the Master.
                master.setAutoCommit(false);
                List<String> expected = rows(master, sql);
                assertEquals(MASTER, value(master, "SHOW multimed.route"));
                master.rollback();
                assertSatellitesShow(url, master, sql, expected);
            }
        }
    }

    /** Reads in new sessions until each Satellite has been read: one that is applying changes may pass its turn to another one. */
    private static void assertSatellitesShow(String url, Connection any, String sql, List<String> expected)
            throws SQLException {
        Map<String, Long> before = served(any);
        long begun = System.nanoTime();
        do {
            assertTrue(System.nanoTime() - begun < DEADLINE_NANOS, "not every satellite is read: " + before);
            try (Connection reader = connect(url)) {
                assertEquals(expected, rows(reader, sql), sql);
            }
        } while (!served(any).entrySet().stream().allMatch(node -> node.getValue() > before.get(node.getKey())));
    }

    private static Map<String, Long> served(Connection connection) throws SQLException {
        Map<String, Long> served = new HashMap<>();
        for (String[] node : nodes(connection)) {
            if (node[ROLE].equals("satellite")) {
                served.put(node[NODE], Long.parseLong(node[SERVED]));
            }
        }
        return served;
    }

    private static List<String[]> nodes(Connection connection) throws SQLException {
        return rows(connection, "SHOW MULTIMED NODES").stream()
                .map(row -> row.split("\\|"))
                .toList();
    }
}
