package io.multimed.endpoint.pg.backend;

import io.multimed.core.node.ComputationalNode;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one event loop that wait for a connection to one node, in four queues: for an exclusive connection, for room on a
 * shared one, those of long reads for their turn, and those in a paused database until it is resumed.
 */
final class WaitingRequests {
    private final ComputationalNode node;
    private final ConnectionQueue exclusive;
    private final SharedConnections shared;
    private final LongReadQueue longReads;
    /** The requests in paused databases, in order of arrival. */
    private final ArrayDeque<ConnectionRequest> paused = new ArrayDeque<>(0);
    /** Whether there may be any. While there is none, nobody has to look for the next one to serve. */
    boolean any;

    WaitingRequests(
            ComputationalNode node, ConnectionQueue exclusive, SharedConnections shared, LongReadQueue longReads) {
        this.node = node;
        this.exclusive = exclusive;
        this.shared = shared;
        this.longReads = longReads;
    }

    int count() {
        return exclusive.size() + shared.waitingCount() + longReads.size() + paused.size();
    }

    /** Looks whether there still is any. */
    void look() {
        any = count() > 0;
    }

    /** Removes the waiter's request. */
    void forget(BackendWaiter waiter) {
        exclusive.forget(waiter);
        shared.forget(waiter);
        longReads.forget(waiter);
        paused.removeIf(each -> each.waiter() == waiter);
    }

    // --- requests in paused databases

    /** Adds a request that waits until its database is resumed. */
    void pause(ConnectionRequest request) {
        paused.add(request);
        any = true;
    }

    /** Lets such requests wait until their database is resumed, whatever they have waited for until now. */
    void pauseIf(Predicate<ConnectionRequest> such) {
        for (ConnectionRequest request : takeIf(such)) {
            longReads.left(request.waiter());
            pause(request);
        }
    }

    /** Takes the first such request that has waited until its database is resumed; null if there is none. */
    @Nullable
    ConnectionRequest takePaused(Predicate<ConnectionRequest> such) {
        for (Iterator<ConnectionRequest> all = paused.iterator(); all.hasNext(); ) {
            ConnectionRequest each = all.next();
            if (such.test(each)) {
                all.remove();
                return each;
            }
        }
        return null;
    }

    // --- refusals

    /** Refuses those that have waited since {@code nanos} or longer. Those in a paused database wait on. */
    void refuseSince(long nanos) {
        ErrorFields error = ErrorFields.error(
                        SqlState.TOO_MANY_CONNECTIONS, "all connections to " + node.id() + " are in use for too long")
                .withHint("SHOW POOLS and SHOW SERVERS in the database multimed show who holds them, and since when.");
        fail(takeIf(request -> request.sinceNanos() - nanos < 0), error);
    }

    /** Fails all, because the engine cannot be reached. Those in a paused database wait on: it may be restarted meanwhile. */
    void failAll() {
        fail(takeIf(request -> true), null);
    }

    /** Fails those for an exclusive connection of this kind with the engine's answer. */
    void failKind(PoolKey kind, @Nullable ErrorFields error) {
        fail(exclusive.takeIf(request -> request.key().equals(kind)), error);
    }

    private List<ConnectionRequest> takeIf(Predicate<ConnectionRequest> such) {
        List<ConnectionRequest> taken = shared.takeIf(such);
        taken.addAll(longReads.takeIf(such));
        taken.addAll(exclusive.takeIf(such));
        return taken;
    }

    private void fail(List<ConnectionRequest> requests, @Nullable ErrorFields error) {
        for (ConnectionRequest request : requests) {
            longReads.left(request.waiter());
            request.waiter().notAcquired(error);
        }
    }
}
