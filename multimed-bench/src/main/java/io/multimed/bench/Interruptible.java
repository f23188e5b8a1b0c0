package io.multimed.bench;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Executes SQL so that an interrupt ends it. A driver that waits for an answer does not react to interrupts, however long the
 * answer takes.
 */
public final class Interruptible {
    /** Work in SQL on connections that no other thread uses. */
    public interface Work<T> {
        T perform() throws SQLException, InterruptedException;
    }

    /** Longest wait for the thread after its connections have ended; a driver whose connection has ended returns at once. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private Interruptible() {}

    /** A wait that an interrupt ends. */
    public interface Waiting {
        void await() throws InterruptedException;
    }

    /** Waits in spite of an earlier interrupt, which is kept for later, as is one meanwhile, which ends the wait. */
    public static void keeping(Waiting waiting) {
        boolean interrupted = Thread.interrupted();
        try {
            waiting.await();
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Performs {@code work} on a thread of its own and waits for it.
     *
     * @param connections used by it; an interrupt ends them
     */
    public static <T> T perform(Work<T> work, Connection... connections) throws SQLException, InterruptedException {
        FutureTask<T> task = new FutureTask<>(work::perform);
        Thread thread = Thread.ofPlatform().name("bench-sql").daemon().start(task);
        try {
            return task.get();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case SQLException cause -> throw cause;
                case RuntimeException cause -> throw cause;
                case null, default -> throw new IllegalStateException(e.getCause());
            }
        } catch (InterruptedException e) {
            thread.interrupt();
            for (Connection connection : connections) {
                connection.abort(Runnable::run);
            }
            // Neither the connections nor their statements are in use any more once this returns.
            thread.join(PATIENCE);
            throw e;
        }
    }
}
