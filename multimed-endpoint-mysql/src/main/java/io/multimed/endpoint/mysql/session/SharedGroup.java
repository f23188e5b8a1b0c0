package io.multimed.endpoint.mysql.session;

import io.multimed.core.node.ComputationalNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The connections to Satellites for sessions with equal terms. */
final class SharedGroup {
    private static final long LONGEST_IDLE_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** Time for which no connection is made after the engine has not taken one. */
    private static final long REFUSAL_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final SharedGroups all;
    private final SharedTerms terms;
    private final Map<ComputationalNode, List<SharedConnection>> connections = new HashMap<>();
    private long refusedNanos = System.nanoTime() - REFUSAL_NANOS;
    private boolean removed;

    SharedGroup(SharedGroups all, SharedTerms terms) {
        this.all = all;
        this.terms = terms;
    }

    SharedTerms terms() {
        return terms;
    }

    int size(ComputationalNode node) {
        return present(node).size();
    }

    int idle(ComputationalNode node) {
        return (int) present(node).stream().filter(SharedConnection::isIdle).count();
    }

    private List<SharedConnection> present(ComputationalNode node) {
        return connections.getOrDefault(node, List.of());
    }

    /**
     * Chooses a connection for a read, and makes one if there are too few.
     *
     * @param isShort whether the read can wait behind others, and others behind it
     * @param rights changes of schemas and accounts before the session's login
     * @param covered such changes that the Satellite has certainly applied; a new connection has the rights of then
     * @return null if there is none; then the session needs one of its own
     */
    @Nullable
    SharedConnection choose(
            ComputationalNode node, boolean isShort, long rights, long covered, MysqlClientLink client) {
        List<SharedConnection> present = connections.computeIfAbsent(node, ignored -> new ArrayList<>());
        SharedConnection best = null;
        for (Iterator<SharedConnection> each = present.iterator(); each.hasNext(); ) {
            SharedConnection candidate = each.next();
            if (candidate.rights() < rights && candidate.isOpen()) {
                candidate.retire();
            }
            if (candidate.isClosed()) {
                each.remove();
            } else if (candidate.isOpen()
                    && (isShort ? candidate.takesMore() : candidate.isIdle())
                    && (best == null || candidate.load() < best.load())) {
                best = candidate;
            }
        }
        if (covered < rights || System.nanoTime() - refusedNanos < REFUSAL_NANOS) {
            return best;
        }
        // Behind a slow read nobody waits.
        if (best == null ? all.permitsMore(this, node, isShort) : !best.isIdle() && all.permits(this, node)) {
            SharedConnection made =
                    new SharedConnection(all.loop(), node, terms, covered, () -> refusedNanos = System.nanoTime());
            present.add(made);
            made.open(client.remote(), client.local());
            return made;
        }
        return best;
    }

    /** Closes a connection that nobody uses. @return whether there was one */
    boolean closeIdle(ComputationalNode node) {
        for (SharedConnection connection : present(node)) {
            if (connection.isOpen() && connection.isIdle()) {
                connection.close();
                return present(node).remove(connection);
            }
        }
        return false;
    }

    /** Records that other sessions with these terms find another group. */
    void remove() {
        removed = true;
    }

    boolean isRemoved() {
        return removed;
    }

    /** Closes connections that nobody has used for some time. @return whether none is left */
    boolean closeIdle() {
        long now = System.nanoTime();
        for (List<SharedConnection> present : connections.values()) {
            present.stream()
                    .filter(connection -> connection.isIdle() && now - connection.usedNanos() > LONGEST_IDLE_NANOS)
                    .forEach(SharedConnection::close);
            present.removeIf(SharedConnection::isClosed);
        }
        return connections.values().stream().allMatch(List::isEmpty);
    }

    void nodeGone(ComputationalNode node) {
        List<SharedConnection> gone = connections.remove(node);
        if (gone != null) {
            gone.forEach(SharedConnection::close);
        }
    }
}
