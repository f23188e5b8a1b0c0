package io.multimed.core.dispatch;

import io.multimed.core.node.Nodes;
import io.multimed.core.propagation.FreshnessGate;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Waits for freshness by blocking the caller, for applications that embed Multimed and have a thread per session; an
 * event loop registers with the {@link FreshnessGate} itself instead.
 *
 * <p>One for all callers. A feed that has progressed only signals; callers look for themselves.
 */
public final class BlockingFreshness implements AutoCloseable {
    private static final Placement EXPIRED = new Placement.OnMaster(Reason.WAIT_EXPIRED);

    private final Nodes nodes;
    private final FreshnessGate.Waiters waiters;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition progress = lock.newCondition();
    /** Guarded by {@code lock}. */
    private int waiting;

    public BlockingFreshness(FreshnessGate gate, Nodes nodes) {
        this.nodes = nodes;
        // The feed's thread itself: waking threads takes no longer than handing over to another one would.
        waiters = gate.register(Runnable::run, this::wake);
    }

    /**
     * Places one read, waiting for a fresh Satellite for as long as {@code patience}. Any thread; blocks.
     *
     * @param required the SCN that the read must see, or {@code MasterLog.UNKNOWN}
     * @return never {@link Placement.AwaitFreshness}: the Master when patience has run out
     */
    public Placement place(long required, Duration patience) throws InterruptedException {
        Placement placement = Dispatcher.place(required, nodes);
        if (!(placement instanceof Placement.AwaitFreshness)) {
            return placement;
        }
        long deadline = System.nanoTime() + patience.toNanos();
        lock.lock();
        try {
            // Announced before looking again, so that progress made after that look is signalled.
            waiters.waiting(++waiting);
            placement = Dispatcher.place(required, nodes);
            while (placement instanceof Placement.AwaitFreshness) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    Dispatcher.awaitedInVain(required, nodes);
                    return EXPIRED;
                }
                progress.await(left, TimeUnit.NANOSECONDS);
                placement = Dispatcher.place(required, nodes);
            }
            return placement;
        } finally {
            waiters.waiting(--waiting);
            lock.unlock();
        }
    }

    private void wake() {
        lock.lock();
        try {
            progress.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Nobody is woken any more; who still waits will after its patience go to the Master. */
    @Override
    public void close() {
        waiters.close();
    }
}
