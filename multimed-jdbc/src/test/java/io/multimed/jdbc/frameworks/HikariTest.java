package io.multimed.jdbc.frameworks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.multimed.jdbc.Transfers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests connections pooled by HikariCP. */
class HikariTest {
    private static final int THREADS = 6;
    private static final int TRANSFERS = 60;
    private static final int ACCOUNTS = 20;

    private static HikariDataSource pool(Database database) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.url());
        config.setUsername("SA");
        config.setPassword("");
        config.setSchema("PUBLIC");
        config.setMaximumPoolSize(4);
        config.setConnectionTimeout(TimeUnit.SECONDS.toMillis(30));
        return new HikariDataSource(config);
    }

    @ParameterizedTest
    @MethodSource("io.multimed.jdbc.frameworks.Database#all")
    void transfersAndSumsOfManyThreads(String of) throws Exception {
        try (Database database = Database.open(of);
                HikariDataSource pool = pool(database)) {
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE account(id INT PRIMARY KEY, balance INT)");
                for (int i = 0; i < ACCOUNTS; i++) {
                    statement.execute("INSERT INTO account VALUES (" + i + ", 100)");
                }
            }
            ExecutorService threads = Executors.newFixedThreadPool(THREADS);
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                running.add(threads.submit(() -> {
                    for (int j = 0; j < TRANSFERS; j++) {
                        if (thread % 2 == 0) {
                            Transfers.transfer(pool, (thread + j) % ACCOUNTS, (thread + 7 * j + 1) % ACCOUNTS);
                        } else {
                            assertEquals(100 * ACCOUNTS, sum(pool));
                        }
                    }
                    return null;
                }));
            }
            threads.shutdown();
            for (Future<?> future : running) {
                future.get(60, TimeUnit.SECONDS);
            }
            assertTrue(database.servedBySatellites() > 0);
            database.assertInStep("account");
        }
    }

    private static int sum(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setReadOnly(true);
            try (Statement statement = connection.createStatement();
                    ResultSet sum = statement.executeQuery("SELECT SUM(balance) FROM account")) {
                sum.next();
                return sum.getInt(1);
            }
        }
    }

    /** Settings that one user of a pooled connection has made do not affect the next one. */
    @ParameterizedTest
    @MethodSource("io.multimed.jdbc.frameworks.Database#all")
    void aConnectionIsAsNewForTheNextUser(String of) throws SQLException {
        try (Database database = Database.open(of);
                HikariDataSource pool = pool(database)) {
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE t(a INT)");
                statement.execute("CREATE SCHEMA other");
            }
            int isolation;
            try (Connection connection = pool.getConnection()) {
                isolation = connection.getTransactionIsolation();
            }
            for (int i = 0; i < 8; i++) {
                try (Connection connection = pool.getConnection();
                        Statement statement = connection.createStatement()) {
                    assertTrue(connection.getAutoCommit());
                    assertEquals(isolation, connection.getTransactionIsolation());
                    assertEquals("PUBLIC", connection.getSchema());
                    statement.execute("INSERT INTO t VALUES (" + i + ")");
                    connection.setAutoCommit(false);
                    statement.execute("INSERT INTO t VALUES (-1)");
                    connection.rollback();
                    connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
                    connection.setSchema("OTHER");
                    connection.setReadOnly(true);
                }
            }
            assertEquals(8, database.rows("SELECT * FROM t").size());
            database.assertInStep("t");
        }
    }
}
