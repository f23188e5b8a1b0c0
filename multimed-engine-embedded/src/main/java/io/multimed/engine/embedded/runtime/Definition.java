package io.multimed.engine.embedded.runtime;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A change of the catalog that may be visible on the Master before it has an SCN. Any thread. */
final class Definition {
    private final CountDownLatch placed = new CountDownLatch(1);
    private volatile long scn;

    /** Records that the change is in the log at this SCN or before. */
    void placed(long at) {
        scn = at;
        placed.countDown();
    }

    /**
     * Waits until the change is in the log.
     *
     * @return whether it was placed in time
     */
    boolean await(long nanos) throws InterruptedException {
        return placed.await(nanos, TimeUnit.NANOSECONDS);
    }

    /** Returns an SCN that includes the change, once it is placed. */
    long scn() {
        return scn;
    }
}
