package io.multimed.core.node;

import io.multimed.model.NodeId;
import io.multimed.model.Role;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * One engine with its position and load, as the Dispatcher sees it.
 *
 * <p>{@link #applied} and {@link #forwarded} are written by the node's feed, {@link #serving} by its life cycle, the
 * load and {@link #isOverdue} by those who read; all are read by any thread.
 */
public final class ComputationalNode {
    private final NodeId id;
    private final Role role;
    private volatile boolean serving;
    private volatile long applied;
    private volatile long forwarded;
    /** What a reader has waited for here in vain. */
    private volatile long overdue;

    private final AtomicInteger active = new AtomicInteger();
    private final LongAdder served = new LongAdder();

    public ComputationalNode(NodeId id, Role role) {
        this.id = id;
        this.role = role;
    }

    public NodeId id() {
        return id;
    }

    public Role role() {
        return role;
    }

    /** Whether transactions may be placed here. */
    public boolean serving() {
        return serving;
    }

    public void serving(boolean now) {
        serving = now;
    }

    /**
     * Whether a snapshot taken here now contains every commit at or below {@code required}.
     *
     * <p>Asked when a read is placed, and once more when its connection is there, before the statement is sent: opening
     * one takes time, in which the engine may have been replaced by one that started from older data.
     */
    public boolean covers(long required) {
        return serving && applied >= required;
    }

    /** The SCN this node has applied: a snapshot taken from now on contains every commit at or below. */
    public long applied() {
        return applied;
    }

    /**
     * Published by the feed. It falls when the feed connects anew: what an earlier engine had applied says nothing
     * about the present one.
     */
    public void applied(long scn) {
        applied = scn;
    }

    /**
     * Whether a reader has waited here in vain for what this node has yet to apply: replay stands still, behind a lock
     * or a long reader, or is that far behind. Until it is over nobody else need lose time on it.
     */
    public boolean isOverdue() {
        return applied < overdue;
    }

    /** A reader gave up waiting for this node to apply {@code required}. */
    public void awaitedInVain(long required) {
        overdue = required;
    }

    /** Upper bound of what this node can have shown: the end of the log that it was given, by whatever way. */
    public long forwarded() {
        return forwarded;
    }

    /** Published by the feed before the bytes leave. It never falls. */
    public void forwarded(long position) {
        forwarded = position;
    }

    /** Transactions that run or queue here now. */
    public int active() {
        return active.get();
    }

    public void transactionBegan() {
        active.incrementAndGet();
    }

    public void transactionEnded() {
        active.decrementAndGet();
        served.increment();
    }

    /** Transactions served since the start. */
    public long served() {
        return served.sum();
    }
}
