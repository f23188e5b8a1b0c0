package io.multimed.core.node;

import io.multimed.model.NodeId;
import io.multimed.model.Role;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * One engine with its position and load, as the Dispatcher sees it.
 *
 * <p>{@link #applied} and {@link #forwarded} are written by the node's feed, {@link #serving} by its life cycle, the load and
 * {@link #isOverdue} by readers. Any thread may read all of them.
 */
public final class ComputationalNode {
    private final NodeId id;
    private final Role role;
    private final NodeContents contents;
    private volatile boolean serving;
    private volatile long applied;
    private volatile long forwarded;
    /** The SCN for which a reader has waited here in vain. */
    private volatile long overdue;

    private final AtomicInteger active = new AtomicInteger();
    private final LongAdder served = new LongAdder();
    private final LongAdder copies = new LongAdder();

    /** Creates a node that holds everything. */
    public ComputationalNode(NodeId id, Role role) {
        this(id, role, NodeContents.EVERYTHING);
    }

    public ComputationalNode(NodeId id, Role role, NodeContents contents) {
        this.id = id;
        this.role = role;
        this.contents = contents;
    }

    public NodeId id() {
        return id;
    }

    public Role role() {
        return role;
    }

    public NodeContents contents() {
        return contents;
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
     * <p>Checked when a read is placed, and once more when its connection is available, before the statement is sent: opening a
     * connection takes time, in which the engine may have been replaced by one that started from older data.
     */
    public boolean covers(long required) {
        return serving && applied >= required;
    }

    /** Returns the SCN that this node has applied. A snapshot taken from now on contains every commit at or below it. */
    public long applied() {
        return applied;
    }

    /**
     * Sets the applied SCN; called by the feed. The SCN falls when the feed reconnects, because the position of an earlier engine
     * says nothing about the present one.
     */
    public void applied(long scn) {
        applied = scn;
    }

    /**
     * Whether a reader has waited here in vain for a commit that this node has yet to apply. Replay is then blocked by a lock or a
     * long reader, or far behind. Until the node has caught up, other readers need not lose time on it.
     */
    public boolean isOverdue() {
        return applied < overdue;
    }

    /** Records that a reader gave up waiting for this node to apply {@code required}. */
    public void awaitedInVain(long required) {
        overdue = required;
    }

    /**
     * Returns an upper bound of the commits that this node can have shown: the end of the log that it has received by any route.
     */
    public long forwarded() {
        return forwarded;
    }

    /** Sets the end of the forwarded log; called by the feed before it sends the bytes. It never falls. */
    public void forwarded(long position) {
        forwarded = position;
    }

    /** Returns the number of transactions that run or queue here now. */
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

    /** Returns the number of transactions served since the start. */
    public long served() {
        return served.sum();
    }

    /** Records that a copy of the Master's data has begun for this node. */
    public void copyBegan() {
        copies.increment();
    }

    /** Returns the number of copies of the Master's data that have begun for this node since the start. */
    public long copies() {
        return copies.sum();
    }
}
