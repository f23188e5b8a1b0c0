package io.multimed.endpoint.pg.backend;

import io.multimed.core.node.ComputationalNode;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one event loop that wait for a connection to one node, in three queues: for an exclusive connection, for room on a
 * shared one, and those of long reads for their turn.
 */
final class WaitingRequests {
    private final ComputationalNode node;
    private final ConnectionQueue exclusive;
    private final SharedConnections shared;
    private final LongReadQueue longReads;
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
        return exclusive.size() + shared.waitingCount() + longReads.size();
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
    }

    /** Refuses those that have waited since {@code nanos} or longer. */
    void refuseSince(long nanos) {
        List<ConnectionRequest> refused = shared.takeWaitingSince(nanos);
        refused.addAll(longReads.takeWaitingSince(nanos));
        refused.addAll(exclusive.takeWaitingSince(nanos));
        ErrorFields error = ErrorFields.error(
                        SqlState.TOO_MANY_CONNECTIONS, "all connections to " + node.id() + " are in use for too long")
                .withHint("SHOW POOLS and SHOW SERVERS in the database multimed show who holds them, and since when.");
        fail(refused, error);
    }

    /** Fails all, because the engine cannot be reached. */
    void failAll() {
        List<ConnectionRequest> failed = shared.takeAll();
        failed.addAll(longReads.takeAll());
        failed.addAll(exclusive.takeAll());
        fail(failed, null);
    }

    /** Fails those for an exclusive connection of this kind with the engine's answer. */
    void failKind(PoolKey kind, @Nullable ErrorFields error) {
        fail(exclusive.takeAll(kind), error);
    }

    private void fail(List<ConnectionRequest> requests, @Nullable ErrorFields error) {
        for (ConnectionRequest request : requests) {
            longReads.left(request.waiter());
            request.waiter().notAcquired(error);
        }
    }
}
