package io.multimed.jdbc.replay;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * A program that measures reads on DuckDB, alone and with replicas, in turns. It is run by hand, as docs/jdbc.md describes, and
 * checks no results.
 */
final class DuckDbReads {
    private static final int THREADS = 4;
    private static final int ROUNDS = 3;
    private static final long ROUND_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final int ROWS = 20_000;
    private static final String POINT = "SELECT v FROM t WHERE id = ?";
    private static final String SUM = "SELECT COUNT(*), MAX(v) FROM t WHERE id >= ?";

    private DuckDbReads() {}

    public static void main(String[] arguments) throws Exception {
        String name = "duckdb:memory:reads";
        List<String> urls =
                List.of("jdbc:" + name + "alone", "jdbc:multimed:" + name + ";propagation=statements;replicas=3");
        List<Connection> kept = new ArrayList<>();
        for (String url : urls) {
            Connection connection = DriverManager.getConnection(url);
            kept.add(connection);
            fill(connection);
        }
        for (int round = 1; round <= ROUNDS; round++) {
            for (String sql : List.of(POINT, SUM)) {
                for (String url : urls) {
                    System.out.printf("%d %-50s %10.0f reads/s  %s%n", round, sql, perSecond(url, sql), url);
                }
            }
        }
        for (Connection connection : kept) {
            connection.close();
        }
    }

    private static void fill(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, v INTEGER)");
        }
        connection.setAutoCommit(false);
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO t VALUES (?, ?)")) {
            for (int id = 0; id < ROWS; id++) {
                insert.setInt(1, id);
                insert.setInt(2, id * 7 % ROWS);
                insert.execute();
            }
        }
        connection.commit();
        connection.setAutoCommit(true);
    }

    private static double perSecond(String url, String sql) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            long begun = System.nanoTime();
            List<Future<Long>> counted = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                Callable<Long> reader = () -> reads(url, sql, begun + ROUND_NANOS);
                counted.add(threads.submit(reader));
            }
            long reads = 0;
            for (Future<Long> count : counted) {
                reads += count.get();
            }
            return reads * 1e9 / (System.nanoTime() - begun);
        } finally {
            threads.shutdownNow();
        }
    }

    private static long reads(String url, String sql, long until) throws SQLException {
        long reads = 0;
        try (Connection connection = DriverManager.getConnection(url);
                PreparedStatement read = connection.prepareStatement(sql)) {
            while (System.nanoTime() - until < 0) {
                read.setInt(1, (int) (reads * 31 % ROWS));
                try (ResultSet rows = read.executeQuery()) {
                    rows.next();
                }
                reads++;
            }
        }
        return reads;
    }
}
