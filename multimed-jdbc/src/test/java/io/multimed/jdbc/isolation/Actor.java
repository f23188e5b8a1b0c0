package io.multimed.jdbc.isolation;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A connection with a thread of its own, so that an actor that has to wait does not stop the others. A transaction in which a step
 * was refused is over.
 */
final class Actor implements AutoCloseable {
    /** Number of checks in a row that find a thread waiting before it counts as waiting for another transaction. */
    private static final int LOOKS = 20;

    private static final long LOOK_MILLIS = 5;
    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** One step of a transaction. */
    @FunctionalInterface
    interface Step {
        void run() throws SQLException;
    }

    private final AtomicReference<Thread> thread = new AtomicReference<>();
    private final AtomicInteger outstanding = new AtomicInteger();
    private final ExecutorService steps;
    private final Connection connection;
    private boolean refused;
    private volatile boolean committed;

    Actor(Connection connection) throws SQLException {
        this.connection = connection;
        connection.setAutoCommit(false);
        this.steps = Executors.newSingleThreadExecutor(task -> {
            Thread made = new Thread(task, "actor");
            thread.set(made);
            return made;
        });
    }

    /** Executes a step, or leaves it waiting for another actor. */
    void does(Step step) throws InterruptedException {
        submit(() -> {
            if (!refused) {
                step.run();
            }
        });
        int waiting = 0;
        long began = System.nanoTime();
        while (outstanding.get() > 0 && waiting < LOOKS) {
            Thread.sleep(LOOK_MILLIS);
            Thread.State state = thread.get().getState();
            waiting = state == Thread.State.RUNNABLE ? 0 : waiting + 1;
            assertTrue(System.nanoTime() - began < DEADLINE_NANOS, "neither done nor waiting");
        }
    }

    private void submit(Step step) {
        outstanding.incrementAndGet();
        steps.execute(() -> {
            try {
                step.run();
            } catch (SQLException e) {
                refused = true;
                rollback();
            } finally {
                outstanding.decrementAndGet();
            }
        });
    }

    private void rollback() {
        try {
            connection.rollback();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    int read(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            result.next();
            return result.getInt(1);
        }
    }

    void change(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    void rollBack() throws SQLException {
        connection.rollback();
    }

    void commit() throws SQLException {
        connection.commit();
        committed = true;
    }

    boolean committed() {
        return committed;
    }

    /** Ends the actor after all its steps, and rolls back. Call it for all actors before waiting for any. */
    void end() {
        submit(this::rollback);
        steps.shutdown();
    }

    void ended() throws InterruptedException {
        assertTrue(steps.awaitTermination(DEADLINE_NANOS, TimeUnit.NANOSECONDS), "still waiting");
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
