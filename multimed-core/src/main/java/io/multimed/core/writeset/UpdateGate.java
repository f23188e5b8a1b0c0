package io.multimed.core.writeset;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A gate through which update transactions run together, and a change of the catalog or a copy of the Master alone. While it is
 * shut, no transaction that has changed anything is open, and none begins. An engine that separates the two by itself only needs
 * short waits on both sides ({@link #claim}, {@link #enterBeside}), so that no transaction waits for long.
 *
 * <p>Not bound to threads, since a session may change its thread. Entering costs one atomic operation.
 */
public final class UpdateGate {
    private static final long SHUT = 1L << 32;
    private static final long INSIDE = SHUT - 1;
    /** Largest exponent of {@code withoutWaiting}: where transactions last long, one in 64 waits in vain to find that out. */
    private static final int MOST_IN_VAIN = 6;

    /** Number of transactions inside, plus {@code SHUT} for each caller that has shut the gate or wants to. */
    private final AtomicLong state = new AtomicLong();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** Whether a caller has the gate. Guarded by {@code lock}. */
    private boolean taken;
    /**
     * Whether the gate was taken by a claim whose wait is over; {@code claimedAt} is the end of that wait. Guarded by {@code lock}.
     */
    private boolean claimed;

    private long claimedAt;
    /**
     * Approximate number of transactions inside that lasted longer than another caller waited for them, so that waiting for them
     * again is pointless. The last writer wins.
     */
    private volatile long stayers;
    /**
     * Approximate number of vain waits in a row. After each, {@code withoutWaiting} is set to the number of callers that will not
     * wait.
     */
    private volatile int inVain;

    private volatile int withoutWaiting;

    /**
     * Begins an update transaction; waits while the gate is shut.
     *
     * @return false if it stayed shut for that long
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

    /**
     * Begins an update transaction alone, if those inside end soon; meanwhile the caller yields the processor to others. This is
     * cheaper than waiting for them in the engine: being put to sleep there and woken costs more than such a transaction takes.
     *
     * @param patienceNanos longest wait for those inside, unless they are known to stay
     * @return false if they stay or the gate is shut; the caller then still has to {@link #enter}
     */
    @SuppressWarnings("NonAtomicVolatileUpdate") // The number is an estimate; a lost update changes nothing.
    public boolean enterInTurn(long patienceNanos) {
        long began = 0;
        while (true) {
            long now = state.get();
            if (now >= SHUT) {
                return false;
            }
            if (now <= stayers) {
                if (state.compareAndSet(now, now + 1)) {
                    if (began != 0) {
                        inVain = 0;
                    }
                    return true;
                }
                continue;
            }
            if (began == 0) {
                if (withoutWaiting > 0) {
                    withoutWaiting--;
                    return false;
                }
                // The transactions that stayed before may have left.
                stayers = 0;
                began = System.nanoTime();
            } else if (System.nanoTime() - began >= patienceNanos) {
                stayers = now;
                inVain = Math.min(inVain + 1, MOST_IN_VAIN);
                withoutWaiting = (1 << inVain) - 1;
                return false;
            }
            Thread.yield();
        }
    }

    /**
     * Begins an update transaction, beside the caller that has {@link #claim}ed the gate if necessary: it waits until that caller
     * is done, or has had the gate for the given time. So a slow claim, for instance one that waits for a lock, delays others once
     * and not each of them.
     */
    public void enterBeside(long courtesyNanos) throws InterruptedException {
        if (state.incrementAndGet() < SHUT) {
            return;
        }
        leave();
        lock.lockInterruptibly();
        try {
            long until = System.nanoTime() + courtesyNanos;
            while (state.get() >= SHUT) {
                long now = System.nanoTime();
                long left = until - now;
                if (claimed) {
                    left = Math.min(left, claimedAt + courtesyNanos - now);
                }
                if (left <= 0) {
                    break;
                }
                changed.awaitNanos(left);
            }
            state.incrementAndGet();
        } finally {
            lock.unlock();
        }
    }

    /** Ends an update transaction. */
    public void leave() {
        long now = state.decrementAndGet();
        if (stayers > (now & INSIDE)) {
            stayers = now & INSIDE;
        }
        if (now >= SHUT) {
            signal();
        }
    }

    /**
     * Shuts the gate: new transactions wait from now on, and this call waits until those inside have ended.
     *
     * @return false if they did not end in time; the gate is open again then
     */
    public boolean shut(long patienceNanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = patienceNanos;
            state.addAndGet(SHUT);
            boolean mine = false;
            try {
                while (taken || (state.get() & INSIDE) != 0) {
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

    /**
     * Shuts the gate without requiring that it is empty: new transactions wait from now on, those inside are given a little time to
     * end, unless they are known to stay.
     *
     * @param patienceNanos longest wait for other callers that have shut the gate
     * @param courtesyNanos longest wait for those inside
     * @return false if others kept it shut; the caller does not have the gate then
     */
    public boolean claim(long patienceNanos, long courtesyNanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            state.addAndGet(SHUT);
            boolean mine = false;
            try {
                long left = patienceNanos;
                while (taken) {
                    if (left <= 0) {
                        return false;
                    }
                    left = changed.awaitNanos(left);
                }
                taken = true;
                try {
                    left = courtesyNanos;
                    while (left > 0 && (state.get() & INSIDE) > stayers) {
                        left = changed.awaitNanos(left);
                    }
                    mine = true;
                } finally {
                    taken = mine;
                }
                stayers = state.get() & INSIDE;
                claimed = true;
                claimedAt = System.nanoTime();
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

    /** Opens the gate; called by the caller that has shut it. */
    public void open() {
        lock.lock();
        try {
            taken = false;
            claimed = false;
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
