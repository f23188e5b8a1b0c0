package io.multimed.core.propagation;

import io.multimed.core.spi.ProgressRequest;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Wakes readers that wait for a Satellite to become fresh.
 *
 * <p>Each event loop (or each blocking caller) registers one {@link Waiters}. Feeds call {@link #progressed} after they have
 * published a new applied SCN. No wake-up is missed: a loop publishes its count before it reads the applied SCNs once more; a feed
 * publishes the applied SCN before it reads the counts.
 */
public final class FreshnessGate {
    private final CopyOnWriteArrayList<Waiters> all = new CopyOnWriteArrayList<>();
    private final ProgressRequest progressRequest;

    public FreshnessGate(ProgressRequest progressRequest) {
        this.progressRequest = progressRequest;
    }

    /**
     * Registers a loop.
     *
     * @param loop runs {@code recheck}, which checks all waiting readers of the loop
     */
    public Waiters register(Executor loop, Runnable recheck) {
        Waiters waiters = new Waiters(loop, recheck);
        all.add(waiters);
        return waiters;
    }

    /**
     * Signals that an applied SCN, the floor or the set of serving nodes has changed. Thread-safe; costs one read per loop if no
     * reader waits.
     */
    public void progressed() {
        all.forEach(Waiters::signal);
    }

    /**
     * Whether any reader waits, so that feeds continue to request progress reports: an earlier report may have come before the
     * Satellite had applied enough. Thread-safe.
     */
    public boolean readersWait() {
        for (Waiters waiters : all) {
            if (waiters.count > 0) {
                return true;
            }
        }
        return false;
    }

    /** The waiting readers of one loop. Except for {@code signal}, used by that loop alone. */
    public final class Waiters implements AutoCloseable {
        private final Executor loop;
        private final Runnable recheck;
        private final Runnable onSignal = this::run;
        private final AtomicBoolean signalled = new AtomicBoolean();
        private volatile int count;

        private Waiters(Executor loop, Runnable recheck) {
            this.loop = loop;
            this.recheck = recheck;
        }

        /**
         * Sets the number of waiting readers. After an increase the loop must check the applied SCNs once more before it relies on
         * being woken.
         */
        public void waiting(int readers) {
            boolean more = readers > count;
            count = readers;
            if (more) {
                progressRequest.requestProgress();
            }
        }

        private void signal() {
            if (count > 0 && !signalled.get() && signalled.compareAndSet(false, true)) {
                try {
                    loop.execute(onSignal);
                } catch (RejectedExecutionException e) {
                    // The loop has ended, and its readers with it. The feed must not end because of that.
                    close();
                }
            }
        }

        private void run() {
            // Clear first, so that progress published after this point signals again.
            signalled.set(false);
            recheck.run();
        }

        /** Unregisters the loop, which has no waiting readers any more. */
        @Override
        public void close() {
            count = 0;
            all.remove(this);
        }
    }
}
