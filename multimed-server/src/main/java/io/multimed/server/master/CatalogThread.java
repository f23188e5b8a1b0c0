package io.multimed.server.master;

import io.multimed.core.tasks.HeardTask;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread that reads the Master's catalogs. A task that fails is logged and does not stop the others. */
final class CatalogThread {
    private static final Logger log = LoggerFactory.getLogger(CatalogThread.class);

    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("multimed-catalog").factory());

    /** Runs a task after a pause. Returns false if the thread has been shut down. Thread-safe. */
    @SuppressWarnings("FutureReturnValueIgnored") // A task's failure is logged.
    boolean later(long pause, TimeUnit unit, Runnable task) {
        try {
            executor.schedule(
                    new HeardTask(task, failure -> log.error("Reading the master's catalogs failed", failure)),
                    pause,
                    unit);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /** Runs a task as soon as the earlier ones have run. Returns false if the thread has been shut down. Thread-safe. */
    boolean run(Runnable task) {
        return later(0, TimeUnit.MILLISECONDS, task);
    }

    void shutdown() {
        executor.shutdown();
    }
}
