package io.multimed.cli;

import io.multimed.server.Multimed;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ends an instance when the JVM is asked to end (SIGTERM, SIGINT).
 *
 * <p>A JVM that ends by a signal has an exit status that shows it. An orderly end is a success here, so the hook itself halts
 * the JVM with status 0. The JVM ignores further signals while its hooks run.
 */
final class Shutdown {
    private static final long START_PATIENCE_SECONDS = 30;

    private final Thread main = Thread.currentThread();
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile @Nullable Multimed running;

    Thread hook() {
        return new Thread(this::run, "multimed-shutdown");
    }

    void started(Multimed multimed) {
        running = multimed;
    }

    /** Lets the hook continue: the main thread has ended everything, or there was nothing to end. */
    void done() {
        done.countDown();
    }

    private void run() {
        if (done.getCount() == 0) {
            return;
        }
        Multimed multimed = running;
        try {
            if (multimed != null) {
                multimed.requestDown();
                done.await();
            } else {
                // The start is in progress: the interrupt ends it, and it cleans up after itself.
                main.interrupt();
                if (!done.await(START_PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            return;
        }
        Runtime.getRuntime().halt(0);
    }
}
