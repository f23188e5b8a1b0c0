package io.multimed.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class InterruptibleTest {
    private static final String ASLEEP =
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND state = 'active'";

    /** Interrupts {@code waiting} as soon as a session sleeps in the engine. */
    private static void interruptWhenAsleep(BenchDatabase database, Thread waiting) {
        try (Connection connection = database.open();
                Statement statement = connection.createStatement()) {
            while (true) {
                try (ResultSet row = statement.executeQuery(ASLEEP)) {
                    row.next();
                    if (row.getLong(1) > 0) {
                        waiting.interrupt();
                        return;
                    }
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void anInterruptEndsAStatementThatIsWaitedFor() throws Exception {
        try (BenchDatabase database = new BenchDatabase();
                Connection connection = database.openPrivately();
                Statement statement = connection.createStatement()) {
            assertEquals(true, Interruptible.perform(() -> statement.execute("SELECT 1"), connection));
            SQLException refused = assertThrows(
                    SQLException.class, () -> Interruptible.perform(() -> statement.execute("SELEC"), connection));
            assertEquals("42601", refused.getSQLState());

            Thread waiting = Thread.currentThread();
            Thread interrupter = Thread.ofPlatform().start(() -> interruptWhenAsleep(database, waiting));
            assertThrows(
                    InterruptedException.class,
                    () -> Interruptible.perform(() -> statement.execute("SELECT pg_sleep(600)"), connection));
            assertTrue(connection.isClosed());
            assertTrue(
                    Thread.getAllStackTraces().keySet().stream()
                            .noneMatch(thread -> thread.getName().equals("bench-sql")),
                    "nobody waits any more");
            interrupter.join();
        }
    }
}
