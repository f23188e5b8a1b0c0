package io.multimed.endpoint.pg.backend;

import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to one node for the requests that wait, as far as there is room. An engine that had no connection left is asked
 * again after a while.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Closing a channel needs no answer.
final class ConnectionOpener {
    private static final long OPENING_MILLIS = 5_000;
    /** Time after which an engine that had no connection left is asked again. */
    private static final long REOPEN_MILLIS = 200;

    private final NodeBackends pool;
    final EngineConnector connector;
    private final OpenConnections connections;
    private final ConnectionQueue waiters;
    private final PoolRoom room;
    private final RefusedKinds refused = new RefusedKinds();
    /** Whether the engine will be asked again for the refused kinds. */
    private boolean reopening;

    ConnectionOpener(
            NodeBackends pool,
            EngineConnector connector,
            OpenConnections connections,
            ConnectionQueue waiters,
            PoolRoom room) {
        this.pool = pool;
        this.connector = connector;
        this.connections = connections;
        this.waiters = waiters;
        this.room = room;
    }

    // --- queries

    /** Whether the engine has no connection of this kind left. */
    boolean isRefused(PoolKey kind) {
        return refused.isRefused(kind);
    }

    /** Whether more requests wait for an exclusive connection of this kind than are being opened. */
    boolean isLacking(PoolKey kind) {
        return waiters.hasMoreThan(connections.comingCount(kind), kind);
    }

    /** Returns the first request that an existing connection of such a kind may serve; null if there is none. */
    @Nullable
    ConnectionRequest firstFor(Predicate<PoolKey> kinds) {
        return waiters.firstUnrefused(refused, kinds);
    }

    /** Returns the first request that may get a connection in place of one of kind {@code leaving}; null if there is none. */
    @Nullable
    ConnectionRequest firstInPlaceOf(PoolKey leaving) {
        return waiters.firstInPlaceOf(
                leaving, refused, reopening, other -> leaving.yielding() == other.yielding() && isLacking(other));
    }

    // --- opening

    /** Makes room for a connection of this kind, unless there is some. @return whether one may be opened now */
    boolean makeRoomFor(PoolKey kind) {
        return room.make(kind, mayUseReserved(kind));
    }

    /** Whether only a reserved connection is left, and a request waits for this kind that may use it. */
    private boolean mayUseReserved(PoolKey kind) {
        return !kind.yielding() && !room.isWithinBudget() && waiters.mayUseReserved(kind);
    }

    /** Opens one connection for a waiter if there is room. @return whether one is being opened */
    boolean openForWaiters() {
        // makeRoomFor may close a connection, so the search must stop at the first success.
        ConnectionRequest first = waiters.firstUnrefused(refused, kind -> isLacking(kind) && makeRoomFor(kind));
        return first != null && open(first.key());
    }

    /** @return false if no more may be opened */
    boolean open(PoolKey key) {
        LoopBackends loop = pool.loop;
        if (loop.isClosed() || !room.take(key, waiters.mayUseReserved(key))) {
            return false;
        }
        connector.open(channel -> {
            if (channel == null || loop.isClosed()) {
                connections.reached(key, null);
                if (channel == null) {
                    pool.waiting.failAll();
                } else {
                    channel.close();
                }
                return;
            }
            BackendConnection connection = new BackendConnection(pool, key, channel, loop.maxPreparedPerBackend());
            connections.reached(key, connection);
            channel.pipeline().addLast(new BackendDecoder(connection));
            connection.start();
            // If an engine's main process is stopped, the kernel still accepts connections, but nothing ever answers.
            connector.after(OPENING_MILLIS, () -> {
                if (connection.isOpening()) {
                    connection.abort();
                }
            });
        });
        return true;
    }

    // --- refusals

    /** Records that the engine has accepted a connection of this kind. @return whether it had refused one before */
    boolean accepted(PoolKey kind) {
        return refused.remove(kind);
    }

    /**
     * Handles the engine's answer to a connection that did not open.
     *
     * @param error the answer; null if there was none
     * @return whether the engine has no such connection left now but will have, so that waiters of the kind should go on waiting
     */
    boolean refusedBy(PoolKey kind, @Nullable ErrorFields error) {
        if (error == null || !error.sqlState().equals(SqlState.TOO_MANY_CONNECTIONS)) {
            return false;
        }
        Predicate<PoolKey> makesRoom = RefusedKinds.underTheSameLimit(kind, error);
        if (!connections.anyUsable(makesRoom)) {
            return false;
        }
        refused.add(kind, makesRoom);
        room.closeOneIdle(makesRoom);
        pool.loop.kindRefused();
        reopenLater();
        return true;
    }

    /** Requests the refused kinds for which there are waiters from the engine again. */
    private void reopen() {
        List<PoolKey> kinds = refused.inTurn();
        kinds.removeIf(kind -> !waiters.hasMoreThan(0, kind));
        if (kinds.isEmpty()) {
            refused.clear();
        }
        for (PoolKey kind : kinds) {
            if (!room.allows(kind, mayUseReserved(kind))
                    && !room.closeOneIdle(other -> refused.makesRoom(other, kind))) {
                reopenLater();
                return;
            }
            open(kind);
        }
    }

    private void reopenLater() {
        if (!reopening) {
            reopening = true;
            connector.after(REOPEN_MILLIS, () -> {
                reopening = false;
                reopen();
            });
        }
    }
}
