package io.multimed.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that deregistering the driver ends its threads. A container that stops an application deregisters its drivers, and a
 * remaining thread would keep the application's classes.
 */
class DeregisteredDriverTest {
    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(20);

    private static long appliers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("multimed-applier"))
                .count();
    }

    private static void awaitAppliers(long atMost) throws InterruptedException {
        long began = System.nanoTime();
        while (appliers() > atMost) {
            assertTrue(System.nanoTime() - began < DEADLINE_NANOS, appliers() + " threads and not " + atMost);
            Thread.sleep(10);
        }
    }

    private static int one(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            assertTrue(rows.next());
            return rows.getInt(1);
        }
    }

    /** Threads of other tests may be there. */
    @ParameterizedTest
    @ValueSource(strings = {"h2:mem:%s;DB_CLOSE_DELAY=-1", "hsqldb:mem:%s"})
    void leavesNoThreadsOfDatabasesWithoutConnections(String engine) throws Exception {
        String url = "jdbc:multimed:" + engine.formatted(UUID.randomUUID()) + ";replicas=3";
        DriverManager.deregisterDriver(DriverManager.getDriver(url));
        try {
            long before = appliers();
            MultimedDriver.register();
            try (Connection connection = DriverManager.getConnection(url, "SA", "");
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE T(A INT)");
                statement.execute("INSERT INTO T VALUES (7)");
                DriverManager.deregisterDriver(DriverManager.getDriver(url));
                assertEquals(7, one(connection, "SELECT A FROM T"), "who is connected goes on");
            }
            assertFalse(appliers() <= before, "the engine's own rule keeps it");
            MultimedDriver.register();
            DriverManager.deregisterDriver(DriverManager.getDriver(url));
            awaitAppliers(before);
        } finally {
            MultimedDriver.register();
        }
        try (Connection connection = DriverManager.getConnection(url, "SA", "");
                Statement statement = connection.createStatement()) {
            assertEquals(7, one(connection, "SELECT A FROM T"));
            statement.execute("SHUTDOWN");
        }
    }
}
