package io.multimed.endpoint.pg.backend;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Number of connections to one node that all event loops together may have open.
 *
 * <p>Connections that a session keeps between transactions count separately up to a bound, so that they leave enough for the
 * transactions of others. A few more may be opened for logins and superusers. Connections whose engine processes yield do not
 * count: each loop bounds their number by itself.
 *
 * <p>Thread-safe.
 */
public final class ConnectionBudget {
    /**
     * Bounds of the budget.
     *
     * @param transactions largest number of simultaneous transactions
     * @param kept largest number of connections that sessions keep between transactions and that count separately
     * @param reserved number of additional connections for logins and superusers
     */
    public record Limits(int transactions, int kept, int reserved) {}

    private volatile Limits limits;
    private final AtomicInteger pooled = new AtomicInteger();
    private final AtomicInteger kept = new AtomicInteger();
    private final List<NodeBackends> loops = new CopyOnWriteArrayList<>();

    public ConnectionBudget(Limits limits) {
        this.limits = limits;
    }

    /** Bounds the numbers otherwise from now on. Those above a bound are closed as they become idle. */
    public void reconfigure(Limits now) {
        limits = now;
    }

    void sharedBy(NodeBackends backends) {
        loops.add(backends);
    }

    private int most(boolean reserved) {
        return limits.transactions + (reserved ? limits.reserved : 0);
    }

    boolean allowsOneMore(boolean reserved) {
        return pooled.get() < most(reserved);
    }

    /** @return false if there are too many already */
    boolean take(boolean reserved) {
        return takeFrom(pooled, most(reserved));
    }

    void give() {
        pooled.decrementAndGet();
    }

    /** Whether reserved connections are in use, so that a released connection should be closed. */
    boolean isOverdrawn() {
        return pooled.get() > limits.transactions;
    }

    /** Counts a pooled connection as kept by a session. @return whether it counts separately from now on */
    boolean keep() {
        boolean separately = takeFrom(kept, limits.kept);
        if (separately) {
            give();
        }
        return separately;
    }

    /** Counts a separately counted connection as pooled again. */
    void keepNoLonger() {
        kept.decrementAndGet();
        pooled.incrementAndGet();
    }

    /** Removes a closed connection that counted separately. */
    void giveKept() {
        kept.decrementAndGet();
    }

    private static boolean takeFrom(AtomicInteger count, int most) {
        return count.getAndUpdate(now -> now < most ? now + 1 : now) < most;
    }

    /** Asks the other loops to close an idle connection, because this loop has none left for a waiter. */
    void askOthers(NodeBackends asking) {
        for (NodeBackends each : loops) {
            if (each != asking) {
                each.loop.execute(each::closeOneForOthers);
            }
        }
    }

    /** Asks all loops to end transactions that have been idle for long, as many as there are waiters. */
    void endIdle(int waiting, long idleNanos) {
        int each = (waiting + loops.size() - 1) / loops.size();
        for (NodeBackends backends : loops) {
            backends.loop.execute(() -> backends.endIdle(each, idleNanos));
        }
    }
}
