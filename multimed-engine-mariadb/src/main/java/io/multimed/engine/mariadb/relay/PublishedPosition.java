package io.multimed.engine.mariadb.relay;

import io.multimed.core.propagation.MasterLog;
import java.util.concurrent.TimeUnit;

/** Lets feeds wait until the relay has published a transaction. Thread-safe. */
final class PublishedPosition {
    /** Longest wait until a feed looks again whether it has been closed. */
    private static final long LOOK_MS = 100;

    private final MasterLog masterLog;
    private final Object lock = new Object();

    PublishedPosition(MasterLog masterLog) {
        this.masterLog = masterLog;
    }

    void advanced() {
        synchronized (lock) {
            lock.notifyAll();
        }
    }

    /** Whether a transaction is published. */
    boolean reaches(long scn) {
        return masterLog.received() >= scn;
    }

    /** Waits a moment for a transaction; returns whether it is published. */
    boolean await(long scn) throws InterruptedException {
        if (reaches(scn)) {
            return true;
        }
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LOOK_MS);
        synchronized (lock) {
            long left = LOOK_MS;
            while (!reaches(scn) && left > 0) {
                lock.wait(left);
                left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            }
        }
        return reaches(scn);
    }
}
