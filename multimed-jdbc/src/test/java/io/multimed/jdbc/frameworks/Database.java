package io.multimed.jdbc.frameworks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.jdbc.Sql;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** A database in memory, on the engine alone or through Multimed, kept open by a connection of its own. */
final class Database implements AutoCloseable {
    private static final int READS = 4;

    private final String engine;
    private final int replicas;
    private final String url;
    private final Connection keeper;

    private Database(String engine, int replicas) throws SQLException {
        this.engine = engine;
        this.replicas = replicas;
        String name = engine + ":mem:" + UUID.randomUUID().toString().replace("-", "");
        this.url = replicas == 0
                ? "jdbc:" + name
                : "jdbc:multimed:" + name + ";replicas=" + replicas + ";policy=round-robin";
        this.keeper = connect();
    }

    /** Returns the configurations with which each test is run; 0 replicas is the engine's own driver. */
    static Stream<String> all() {
        return Stream.of("h2", "hsqldb")
                .flatMap(engine -> Stream.of(0, 2, 3).map(replicas -> engine + ", replicas " + replicas));
    }

    static Database open(String of) throws SQLException {
        String[] parts = of.split(", replicas ");
        return new Database(parts[0], Integer.parseInt(parts[1]));
    }

    String url() {
        return url;
    }

    boolean isH2() {
        return engine.equals("h2");
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(url, "SA", "");
    }

    /** Returns the number of reads answered by Satellites so far; 1 on the engine alone, which has none. */
    long servedBySatellites() throws SQLException {
        if (replicas == 0) {
            return 1;
        }
        long served = 0;
        try (Statement statement = keeper.createStatement();
                ResultSet nodes = statement.executeQuery("SHOW MULTIMED NODES")) {
            while (nodes.next()) {
                served += nodes.getString("ROLE").equals("satellite") ? nodes.getLong("SERVED") : 0;
            }
        }
        return served;
    }

    /** Asserts that the Master and every Satellite show the same rows, and that no Satellite was rebuilt. */
    void assertInStep(String... tables) throws SQLException {
        for (String table : tables) {
            String sql = "SELECT * FROM " + table;
            keeper.setAutoCommit(false);
            List<String> master = rows(sql);
            keeper.commit();
            keeper.setAutoCommit(true);
            for (int i = 0; i < READS; i++) {
                assertEquals(master, rows(sql), table);
            }
        }
        if (replicas > 0) {
            try (Statement statement = keeper.createStatement();
                    ResultSet nodes = statement.executeQuery("SHOW MULTIMED NODES")) {
                while (nodes.next()) {
                    assertEquals("serving", nodes.getString("STATE"));
                    assertEquals(1, nodes.getInt("ENGINES"), nodes.getString("NODE"));
                }
            }
        }
    }

    List<String> rows(String sql) throws SQLException {
        return Sql.rows(keeper, sql);
    }

    @Override
    public void close() throws SQLException {
        try (keeper;
                Statement statement = keeper.createStatement()) {
            statement.execute("SHUTDOWN");
        }
    }
}
