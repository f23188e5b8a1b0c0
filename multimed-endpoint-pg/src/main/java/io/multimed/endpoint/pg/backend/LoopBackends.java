package io.multimed.endpoint.pg.backend;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.Nodes;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** One event loop's connections to all nodes, and the channels of the loop that have something to flush. */
public final class LoopBackends {
    private final Map<ComputationalNode, NodeBackends> byNode = new IdentityHashMap<>();
    private final List<Channel> unflushed = new ArrayList<>();
    private final LongSupplier clock;
    private final int maxPreparedPerBackend;
    private final ReadSharing sharing;
    private final EngineProcesses processes;
    private final CommitDoubts doubts;
    private final EventLoop loop;
    private boolean watching;
    private boolean closed;
    /** Has all loops close what nobody uses. */
    private Runnable closeIdleEverywhere = () -> {};

    /**
     * @param socketPath where a node's engine listens
     * @param processes of engines on this machine
     * @param doubts of commits on the Master
     * @param limits connections per node on which this loop may have something executed side by side
     * @param budgets how many all loops together may open
     * @param clock monotonic nanoseconds
     */
    public LoopBackends(
            EventLoop loop,
            Transport transport,
            Nodes nodes,
            Function<ComputationalNode, String> socketPath,
            EngineProcesses processes,
            CommitDoubts doubts,
            Function<ComputationalNode, Integer> limits,
            Function<ComputationalNode, ConnectionBudget> budgets,
            int maxPreparedPerBackend,
            ReadSharing sharing,
            LongSupplier clock) {
        this.loop = loop;
        this.clock = clock;
        this.sharing = sharing;
        this.processes = processes;
        this.doubts = doubts;
        this.maxPreparedPerBackend = maxPreparedPerBackend;
        List<ComputationalNode> all = new ArrayList<>(nodes.satellites());
        all.add(nodes.master());
        for (ComputationalNode node : all) {
            Connector connector = new Connector(loop, transport, () -> socketPath.apply(node));
            ConnectionBudget budget = budgets.apply(node);
            NodeBackends backends = new NodeBackends(node, this, connector, limits.apply(node), budget);
            budget.sharedBy(backends);
            byNode.put(node, backends);
        }
    }

    public NodeBackends of(ComputationalNode node) {
        NodeBackends backends = byNode.get(node);
        if (backends == null) {
            throw new IllegalArgumentException("unknown node " + node.id());
        }
        return backends;
    }

    public Iterable<NodeBackends> all() {
        return byNode.values();
    }

    /** Closes every connection; none is opened any more, nor kept that was being opened: the loop is about to end. */
    public void close() {
        closed = true;
        byNode.values().forEach(NodeBackends::abortAll);
    }

    /** @param closing has all loops close the connections that nobody uses */
    public void closingIdleEverywhere(Runnable closing) {
        closeIdleEverywhere = closing;
    }

    /** An engine has no connection left for a kind, be it because of those that other loops keep. */
    void kindRefused() {
        closeIdleEverywhere.run();
    }

    boolean isClosed() {
        return closed;
    }

    /** Closes connections that have been idle for longer than {@code nanos}. */
    public void closeIdleFor(long nanos) {
        long since = clock.getAsLong() - nanos;
        byNode.values().forEach(backends -> backends.closeIdleSince(since));
    }

    /** Has whoever has kept a processor busy for so long with one read leave it to others from now on; called at intervals. */
    public void yieldWhoIsBusyFor(long nanos) {
        byNode.values().forEach(backends -> backends.yieldWhoIsBusy(nanos));
    }

    /** Refuses those who have waited for a connection for longer than {@code nanos}. */
    public void refuseWaitingFor(long nanos) {
        long since = clock.getAsLong() - nanos;
        byNode.values().forEach(backends -> backends.refuseWaitingSince(since));
    }

    /** Ends transactions that have been idle for so long, as far as others wait for their connections. */
    public void endIdleOthersWaitFor(long nanos) {
        byNode.values().forEach(backends -> backends.endIdleOthersWaitFor(nanos));
    }

    /**
     * Has what is written into {@code channel} sent once all sockets that have something now have been read: what several
     * clients ask of one engine, and what it answers, goes in one piece.
     */
    public void flushLater(Channel channel) {
        if (unflushed.isEmpty()) {
            loop.execute(this::flush);
        }
        unflushed.add(channel);
    }

    /** Sends what was written up to now, and what is written when that makes room. */
    void flush() {
        for (int i = 0; i < unflushed.size(); i++) {
            unflushed.get(i).flush();
        }
        unflushed.clear();
    }

    EngineProcesses processes() {
        return processes;
    }

    CommitDoubts doubts() {
        return doubts;
    }

    ReadSharing sharing() {
        return sharing;
    }

    /** Has something done on the loop. Any thread. */
    void execute(Runnable action) {
        loop.execute(action);
    }

    /** Somebody waits behind another: whoever does for long is to go elsewhere. */
    void watchFollowers() {
        if (!watching) {
            watching = true;
            loop.schedule(this::displaceWhoHasWaited, sharing.patience().toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void displaceWhoHasWaited() {
        watching = false;
        // Also when one of them fails: those who wait live by this.
        boolean again = true;
        try {
            boolean any = false;
            for (NodeBackends backends : byNode.values()) {
                any |= backends.displaceWhoHasWaited();
            }
            again = any;
        } finally {
            if (again) {
                watchFollowers();
            }
        }
    }

    long nanoTime() {
        return clock.getAsLong();
    }

    int maxPreparedPerBackend() {
        return maxPreparedPerBackend;
    }
}
