package io.multimed.endpoint.pg.backend;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Number of connections that all event loops together may have open to one node.
 *
 * <p>Connections that a session keeps between transactions count separately, as long as there are not too many of them, so
 * that they leave enough for the transactions of others. A few more may be opened for logins and superusers. Those whose
 * processes yield do not count: each loop bounds their number by itself.
 *
 * <p>Any thread may use it.
 */
public final class ConnectionBudget {
    /**
     * @param transactions that may be open at the same time
     * @param kept sessions that keep their connection between transactions
     * @param reserved as many more may be opened for logins and superusers
     */
    public record Limits(int transactions, int kept, int reserved) {}

    private final Limits limits;
    private final AtomicInteger pooled = new AtomicInteger();
    private final AtomicInteger kept = new AtomicInteger();
    private final List<NodeBackends> loops = new CopyOnWriteArrayList<>();

    public ConnectionBudget(Limits limits) {
        this.limits = limits;
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

    /** @return false when there are too many already */
    boolean take(boolean reserved) {
        return takeFrom(pooled, most(reserved));
    }

    void give() {
        pooled.decrementAndGet();
    }

    /** Whether some of the reserved connections are in use, so that one that becomes free is closed. */
    boolean isOverdrawn() {
        return pooled.get() > limits.transactions;
    }

    /** A session keeps one of the connections. @return whether it counts separately from now on */
    boolean keep() {
        boolean separately = takeFrom(kept, limits.kept);
        if (separately) {
            give();
        }
        return separately;
    }

    /** A connection that counted separately serves all again. */
    void keepNoLonger() {
        kept.decrementAndGet();
        pooled.incrementAndGet();
    }

    /** A connection that counted separately is closed. */
    void giveKept() {
        kept.decrementAndGet();
    }

    private static boolean takeFrom(AtomicInteger count, int most) {
        return count.getAndUpdate(now -> now < most ? now + 1 : now) < most;
    }

    /** One loop has no connection left for somebody who waits: others close one that nobody uses there. */
    void askOthers(NodeBackends asking) {
        for (NodeBackends each : loops) {
            if (each != asking) {
                each.loop().execute(each::closeOneForOthers);
            }
        }
    }

    /** Has all loops end transactions that have been idle for long, as many as wait. */
    void endIdle(int waiting, long idleNanos) {
        int each = (waiting + loops.size() - 1) / loops.size();
        for (NodeBackends backends : loops) {
            backends.loop().execute(() -> backends.endIdle(each, idleNanos));
        }
    }
}
