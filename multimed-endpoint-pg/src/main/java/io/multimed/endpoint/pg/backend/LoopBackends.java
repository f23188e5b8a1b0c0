package io.multimed.endpoint.pg.backend;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.Nodes;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * One event loop's connections to all nodes, and the loop's channels that have something to flush.
 *
 * <p>It has more fields than other classes, since it is the list of objects that all connections of a loop share.
 */
public final class LoopBackends {
    private final IdentityHashMap<ComputationalNode, NodeBackends> byNode = new IdentityHashMap<>();
    private final List<Channel> unflushed = new ArrayList<>();
    private final LongSupplier clock;
    private final int maxPreparedPerBackend;
    private final ReadSharing sharing;
    private final EngineProcesses processes;
    private final CommitDoubts doubts;
    private final EventLoop loop;
    private boolean watching;
    private boolean closed;
    /** The databases in which no client is given a connection at present. */
    PausedDatabases paused = PausedDatabases.NONE;
    /** Whether there are any. This is read for each request. */
    boolean anyPaused;
    /** Action that lets all loops close their idle connections. */
    private Runnable closeIdleEverywhere = () -> {};

    /**
     * Creates the pools of one loop.
     *
     * @param channels to the engines
     * @param socketPath path of a node's engine socket
     * @param processes of engines on this machine
     * @param doubts about commits on the Master
     * @param limits number of connections per node on which this loop may execute side by side
     * @param budgets number of connections that all loops together may open
     * @param clock monotonic nanoseconds
     */
    public LoopBackends(
            EventLoop loop,
            EngineChannels channels,
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
            EngineConnector connector = new EngineConnector(loop, channels, () -> socketPath.apply(node));
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

    /**
     * Closes every connection, because the loop is about to end. No further connection is opened, and one that is being opened is
     * closed.
     */
    public void close() {
        closed = true;
        byNode.values().forEach(NodeBackends::abortAll);
    }

    /** Sets the numbers of connections per node on which this loop may execute side by side. */
    public void reconfigure(Function<ComputationalNode, Integer> limits) {
        byNode.forEach((node, backends) -> backends.reconfigure(limits.apply(node)));
    }

    /** Gives no client a connection to these databases from now on, and to all others again. */
    public void pause(PausedDatabases now) {
        paused = now;
        anyPaused = !now.equals(PausedDatabases.NONE);
        byNode.values().forEach(NodeBackends::pausedChanged);
    }

    /** Whether clients of the database are given no connection at present. */
    public boolean isPaused(String database) {
        return paused.covers(database);
    }

    /** Closes the clients' connections to such databases, each as soon as its users have left it. */
    public void renew(Predicate<String> databases) {
        byNode.values().forEach(backends -> backends.renew(databases));
    }

    /** Drops the clients' connections to such databases at once. */
    public void abort(Predicate<String> databases) {
        byNode.values().forEach(backends -> backends.abort(databases));
    }

    /** @param closing lets all loops close their idle connections */
    public void closingIdleEverywhere(Runnable closing) {
        closeIdleEverywhere = closing;
    }

    /** Handles an engine's refusal for lack of connections. Connections kept by other loops may be the cause. */
    void kindRefused() {
        closeIdleEverywhere.run();
    }

    boolean isClosed() {
        return closed;
    }

    /** Closes connections that have been idle for longer than {@code nanos}. */
    public void closeIdleFor(long nanos) {
        long since = clock.getAsLong() - nanos;
        byNode.values().forEach(backends -> backends.room.closeIdleSince(since));
    }

    /** Called at intervals: moves backends that have used this much processor time for one read to the yielding kind. */
    public void yieldWhoIsBusyFor(long nanos) {
        byNode.values().forEach(backends -> backends.yieldWhoIsBusy(nanos));
    }

    /** Refuses requests that have waited for a connection for longer than {@code nanos}. */
    public void refuseWaitingFor(long nanos) {
        long since = clock.getAsLong() - nanos;
        byNode.values().forEach(backends -> backends.waiting.refuseSince(since));
    }

    /** Ends transactions that have been idle for longer than {@code nanos}, as far as others wait for their connections. */
    public void endIdleOthersWaitFor(long nanos) {
        byNode.values().forEach(backends -> backends.endIdleOthersWaitFor(nanos));
    }

    /**
     * Flushes {@code channel} once all sockets that are readable now have been read, so that requests of several clients to one
     * engine, and its replies, are sent together.
     */
    public void flushLater(Channel channel) {
        if (unflushed.isEmpty()) {
            loop.execute(this::flush);
        }
        unflushed.add(channel);
    }

    /** Sends everything written up to now, and everything that is written when this makes room. */
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

    /** Runs an action on the loop. Callable on any thread. */
    void execute(Runnable action) {
        loop.execute(action);
    }

    /** Starts the periodic check for sessions that have waited too long behind another one. */
    @SuppressWarnings("FutureReturnValueIgnored") // The check itself begins the next one.
    void watchFollowers() {
        if (!watching) {
            watching = true;
            loop.schedule(this::displaceWhoHasWaited, sharing.patience().toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void displaceWhoHasWaited() {
        watching = false;
        // Continue even if one pool fails, because waiting sessions depend on this check.
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
