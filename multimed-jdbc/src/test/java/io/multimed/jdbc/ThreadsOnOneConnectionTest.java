package io.multimed.jdbc;

import static io.multimed.jdbc.Sql.execute;
import static io.multimed.jdbc.Sql.value;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests several threads on one connection, which is frequent in applications that embed a database: the threads take turns. */
class ThreadsOnOneConnectionTest {
    private static final int THREADS = 4;
    private static final int ROUNDS = 100;
    private static final int REPLICAS = 3;
    private static final long PATIENCE_SECONDS = 60;

    /** One step of one of the threads. */
    private interface Round {
        void run(Connection shared, int thread, int round) throws SQLException;
    }

    private static String url(String engine) {
        return "jdbc:multimed:" + engine + ":mem:" + UUID.randomUUID() + ";replicas=" + REPLICAS;
    }

    private static void share(Connection connection, Round round) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<Void>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                all.add(threads.submit(() -> {
                    for (int n = 0; n < ROUNDS; n++) {
                        round.run(connection, thread, n);
                    }
                    return null;
                }));
            }
            for (Future<Void> one : all) {
                one.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static void assertEverywhere(String expected, String url, String sql) throws SQLException {
        for (int i = 0; i < 2 * REPLICAS; i++) {
            try (Connection reader = DriverManager.getConnection(url, "SA", "")) {
                assertEquals(expected, value(reader, sql));
                assertEquals("satellite: a read by itself", value(reader, "SHOW multimed.route"));
                try (Statement statement = reader.createStatement();
                        ResultSet nodes = statement.executeQuery("SHOW MULTIMED NODES")) {
                    while (nodes.next()) {
                        assertEquals(1, nodes.getInt("ENGINES"), nodes.getString("DETAIL"));
                        assertEquals(0, nodes.getInt("ACTIVE"), nodes.getString("NODE"));
                    }
                }
            }
        }
    }

    private static void insertAndRead(Connection shared, int thread, int round) throws SQLException {
        int key = thread * ROUNDS + round;
        try (PreparedStatement insert = shared.prepareStatement("INSERT INTO T VALUES (?, ?)")) {
            insert.setInt(1, key);
            insert.setInt(2, thread);
            insert.addBatch();
            assertEquals(1, insert.executeBatch()[0]);
        }
        try (PreparedStatement read = shared.prepareStatement("SELECT B FROM T WHERE A = ?")) {
            read.setInt(1, key);
            try (ResultSet row = read.executeQuery()) {
                assertTrue(row.next());
                assertEquals(thread, row.getInt(1));
            }
        }
        try (ResultSet tables = shared.getMetaData().getTables(null, null, "T", null)) {
            assertTrue(tables.next());
        }
        execute(shared, "UPDATE T SET B = " + thread + " WHERE A = " + key);
    }

    @ParameterizedTest
    @CsvSource({"h2, true", "h2, false", "hsqldb, true", "hsqldb, false"})
    void whatThreadsThatShareAConnectionChangeIsEverywhere(String engine, boolean autoCommit) throws Exception {
        String url = url(engine);
        try (Connection shared = DriverManager.getConnection(url, "SA", "")) {
            execute(shared, "CREATE TABLE T(A INT PRIMARY KEY, B INT)");
            shared.setAutoCommit(autoCommit);
            share(shared, (connection, thread, round) -> {
                insertAndRead(connection, thread, round);
                if (!autoCommit) {
                    connection.commit();
                }
            });
            if (!autoCommit) {
                shared.commit();
            }
            assertEverywhere(String.valueOf(THREADS * ROUNDS), url, "SELECT COUNT(*) FROM T");
            shared.setAutoCommit(true);
            execute(shared, "SHUTDOWN");
        }
    }

    @ParameterizedTest
    @CsvSource({"h2", "hsqldb"})
    void threadsThatSetSomethingOnASharedConnectionDisturbNoOther(String engine) throws Exception {
        String url = url(engine);
        try (Connection shared = DriverManager.getConnection(url, "SA", "")) {
            execute(shared, "CREATE TABLE T(A INT)", "INSERT INTO T VALUES (1)", "CREATE SCHEMA S");
            share(shared, (connection, thread, round) -> {
                if (thread == 0) {
                    connection.setSchema(round % 2 == 0 ? "S" : "PUBLIC");
                } else if (thread == 1) {
                    connection.setReadOnly(round % 2 == 0);
                } else {
                    assertEquals("1", value(connection, "SELECT A FROM PUBLIC.T"));
                }
            });
            assertEverywhere("1", url, "SELECT A FROM PUBLIC.T");
            execute(shared, "SHUTDOWN");
        }
    }
}
