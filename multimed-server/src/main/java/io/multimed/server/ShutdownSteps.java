package io.multimed.server;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end of an instance: the first caller ends the parts, all other callers wait until that is done. */
final class ShutdownSteps {
    private static final Logger log = LoggerFactory.getLogger(ShutdownSteps.class);

    private final AtomicBoolean begun = new AtomicBoolean();
    private final CountDownLatch done = new CountDownLatch(1);

    /** Runs these steps unless they were begun before; returns when they are done in either case. */
    void once(Runnable steps) {
        if (!begun.compareAndSet(false, true)) {
            awaitDone();
            return;
        }
        steps.run();
        done.countDown();
    }

    /** Runs one of the steps. If it fails, the other parts are ended nevertheless. */
    static void step(String part, Runnable end) {
        try {
            end.run();
        } catch (RuntimeException e) {
            log.error("Ending the {} failed", part, e);
        }
    }

    private void awaitDone() {
        boolean interrupted = false;
        while (done.getCount() > 0) {
            try {
                done.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
