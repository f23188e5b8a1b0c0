package io.multimed.endpoint.mysql.session;

import io.multimed.core.counters.ConnectionCounts;
import io.multimed.core.node.ComputationalNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The connections to Satellites that the sessions of one event loop share. */
final class SharedGroups {
    /** Connections to one Satellite, of all event loops, for sessions with equal terms: so many reads it executes at once. */
    private static final int EACH = 2 * Runtime.getRuntime().availableProcessors();
    /** Times as many where slow reads occupy them. */
    private static final int EXTRA = 8;

    /** Connections to one Satellite for all sessions of all event loops. */
    private static final int MOST = 200;

    private static final int SWEEP_SECONDS = 10;

    private final MysqlLoop loop;
    private final int each;
    private final int most;
    private final Map<SharedTerms, SharedGroup> groups = new HashMap<>();

    private boolean sweeping;

    SharedGroups(MysqlLoop loop, int loops) {
        this.loop = loop;
        each = Math.max(2, EACH / loops);
        most = Math.max(each, MOST / loops);
    }

    MysqlLoop loop() {
        return loop;
    }

    /** Returns the connections for sessions with these terms. */
    SharedGroup group(SharedTerms terms) {
        sweepLater();
        return groups.computeIfAbsent(terms, key -> new SharedGroup(this, key));
    }

    /** Whether a group may make one more connection, so that fewer reads wait behind others. */
    boolean permits(SharedGroup group, ComputationalNode node) {
        return group.size(node) < each && hasRoom(node);
    }

    /**
     * Whether a group may make one more connection for a read that can wait on none.
     *
     * @param isShort whether others can wait behind the read
     */
    boolean permitsMore(SharedGroup group, ComputationalNode node, boolean isShort) {
        return group.size(node) < (isShort ? each * EXTRA : each) && hasRoom(node);
    }

    /** Whether there can be one more connection. One of other sessions that nobody uses makes way. */
    private boolean hasRoom(ComputationalNode node) {
        return groups.values().stream().mapToInt(group -> group.size(node)).sum() < most
                || groups.values().stream().anyMatch(group -> group.closeIdle(node));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // It begins again as long as there are groups.
    private void sweepLater() {
        if (!sweeping) {
            sweeping = true;
            loop.loop().schedule(this::sweep, SWEEP_SECONDS, TimeUnit.SECONDS);
        }
    }

    private void sweep() {
        sweeping = false;
        groups.values().removeIf(group -> {
            boolean isEmpty = group.closeIdle();
            if (isEmpty) {
                group.remove();
            }
            return isEmpty;
        });
        if (!groups.isEmpty()) {
            sweepLater();
        }
    }

    /** Returns the numbers of these connections. */
    ConnectionCounts counts(ComputationalNode node) {
        int open = 0;
        int idle = 0;
        for (SharedGroup group : groups.values()) {
            open += group.size(node);
            idle += group.idle(node);
        }
        return new ConnectionCounts(node.id(), open, idle, 0, 0);
    }

    /** Closes all connections to a node that is gone. */
    void nodeGone(ComputationalNode node) {
        List.copyOf(groups.values()).forEach(group -> group.nodeGone(node));
    }

    void close() {
        loop.services().admission().nodes().satellites().forEach(this::nodeGone);
    }
}
