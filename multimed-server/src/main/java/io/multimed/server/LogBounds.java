package io.multimed.server;

import io.multimed.engine.process.BoundedLog;
import io.multimed.engine.process.LeashedProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Bounds the size of the logs of Multimed and of its engines. Has a thread of its own, since a disk may block it. */
final class LogBounds implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LogBounds.class);
    private static final Duration LOOK = Duration.ofSeconds(1);
    /** Pause after a failure. A copy that fails for lack of space would otherwise fill the rest of the disk again and again. */
    private static final Duration AFTER_FAILURE = Duration.ofMinutes(1);

    private final Path own;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread =
            Thread.ofPlatform().name("multimed-logs").daemon().unstarted(this::run);

    /** @param own Multimed's own log */
    LogBounds(Path own) {
        this.own = own;
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            Duration pause = Duration.ZERO;
            while (!closed.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                pause = bound() ? LOOK : AFTER_FAILURE;
            }
        } catch (InterruptedException e) {
            // Only close ends this thread.
            log.debug("Interrupted");
        }
    }

    /** Bounds the logs. Returns whether it succeeded. */
    private boolean bound() {
        try {
            BoundedLog.bound(own);
            LeashedProcess.boundLogs();
            return true;
        } catch (IOException | RuntimeException | Error e) {
            log.warn("A log grows on, it is looked at again in a minute: {}", e.toString());
            return false;
        }
    }

    /** Ends the thread, which may continue with its present check. */
    @Override
    public void close() {
        closed.countDown();
    }
}
