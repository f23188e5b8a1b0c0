package io.multimed.core.writeset;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets update transactions run together, and a change of the catalog, or a copy of the Master, alone: while it is shut,
 * no transaction that has changed anything is open, and none begins. An engine that keeps the two apart by itself only
 * asks both sides for a little room ({@link #claim}, {@link #enterBeside}), and nobody waits for long.
 *
 * <p>Not bound to threads, since a session may change its thread. Entering costs one atomic operation.
 */
public final class UpdateGate {
    private static final long SHUT = 1L << 32;
    private static final long INSIDE = SHUT - 1;
    /** As a power of two: where transactions last, one in 64 finds that out. */
    private static final int MOST_IN_VAIN = 6;

    /** Transactions inside, and {@code SHUT} for each that has shut it or wants to. */
    private final AtomicLong state = new AtomicLong();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** Guarded by {@code lock}. */
    private boolean taken;
    /** Whether whoever has taken it by a claim has done waiting, and since when. Guarded by {@code lock}. */
    private boolean claimed;

    private long claimedAt;
    /**
     * How many transactions, about, have outstayed who waited for their end and are still inside: it is pointless to wait for
     * them again. Only an estimate, whoever writes it last.
     */
    private volatile long stayers;
    /** How often in a row, about, those inside were waited for in vain, and how many find them inside before one waits again. */
    private volatile int inVain;

    private volatile int withoutWaiting;

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

    /**
     * An update transaction begins alone, if those inside end before long; meanwhile the caller gives the processor to others.
     * One that would wait for them in the engine is better off so: to be put to sleep there and woken costs more than such
     * a transaction takes.
     *
     * @param patienceNanos how long to wait for those inside, unless it has been seen that they stay
     * @return false if they stay, or the gate is shut: then the caller has yet to {@link #enter}
     */
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
                // Those who stayed before may have left.
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
     * An update transaction begins, with whoever has {@link #claim}ed the gate if need be: it waits until that is done, or has
     * had the gate for the given time. So one that is long about it, since it waits for a lock, say, holds up others once and
     * not each of them.
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

    /** It has ended. */
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
     * Shuts the gate without insisting that nobody is inside: new transactions wait from now on, those inside are given a
     * little time to end, unless it has been seen that they do not.
     *
     * @param patienceNanos how long to wait for others that have shut it
     * @param courtesyNanos how long to wait for those inside
     * @return false if others kept it shut; then it is not the caller's
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

    /** The one that has shut it is done. */
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
