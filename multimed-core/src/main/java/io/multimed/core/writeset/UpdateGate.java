package io.multimed.core.writeset;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets update transactions run together, and a change of the catalog, or a copy of the Master, alone: while it is shut,
 * no transaction that has changed anything is open, and none begins.
 *
 * <p>Not bound to threads, since a session may change its thread. Entering costs one atomic operation.
 */
public final class UpdateGate {
    private static final long SHUT = 1L << 32;

    /** Transactions inside, and {@code SHUT} for each that has shut it or wants to. */
    private final AtomicLong state = new AtomicLong();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** Guarded by {@code lock}. */
    private boolean taken;

    /**
     * An update transaction begins; waits while the gate is shut.
     *
     * @return false if it stayed shut for as long as that
     */
    public boolean enter(long patienceNanos) throws InterruptedException {
        if (state.incrementAndGet() < SHUT) {
            return true;
        }
        leave();
        lock.lockInterruptibly();
        try {
            long left = patienceNanos;
            while (true) {
                if (state.get() < SHUT) {
                    if (state.incrementAndGet() < SHUT) {
                        return true;
                    }
                    leave();
                }
                if (left <= 0) {
                    return false;
                }
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** It has ended. */
    public void leave() {
        if (state.decrementAndGet() >= SHUT) {
            signal();
        }
    }

    /**
     * Shuts the gate: new transactions wait from now on, and this call until those inside have ended.
     *
     * @return false if they did not in time; the gate is open again then
     */
    public boolean shut(long patienceNanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = patienceNanos;
            state.addAndGet(SHUT);
            boolean mine = false;
            try {
                while (taken || (state.get() & (SHUT - 1)) != 0) {
                    if (left <= 0) {
                        return false;
                    }
                    left = changed.awaitNanos(left);
                }
                taken = true;
                mine = true;
                return true;
            } finally {
                if (!mine) {
                    state.addAndGet(-SHUT);
                    changed.signalAll();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** The one that has shut it is done. */
    public void open() {
        lock.lock();
        try {
            taken = false;
            state.addAndGet(-SHUT);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void signal() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
