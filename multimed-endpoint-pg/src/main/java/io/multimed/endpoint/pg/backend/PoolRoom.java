package io.multimed.endpoint.pg.backend;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The room for connections to one node on one event loop: how many may be open, and how many may execute side by side. Where there is
 * none, it closes idle connections.
 */
final class PoolRoom {
    /** Idle time after which a yielding connection may be closed for one of another yielding kind. */
    private static final long UNUSED_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** Idle time after which a connection beyond the usual number is closed. */
    private static final long SURPLUS_NANOS = TimeUnit.SECONDS.toNanos(30);

    private PoolBounds bounds;
    private final ConnectionBudget budget;
    private final OpenConnections connections;
    private final IdleConnections idle;
    private final SharedConnections shared;
    private final LongSupplier clock;

    /** @param clock in nanoseconds */
    PoolRoom(
            PoolBounds bounds,
            ConnectionBudget budget,
            OpenConnections connections,
            IdleConnections idle,
            SharedConnections shared,
            LongSupplier clock) {
        this.bounds = bounds;
        this.budget = budget;
        this.connections = connections;
        this.idle = idle;
        this.shared = shared;
        this.clock = clock;
    }

    // --- queries

    /**
     * Whether as many connections are executing as may. Even then there may be idle ones, because others were opened and used while
     * these were at rest.
     */
    boolean isFull(PoolKey kind) {
        return connections.beyondUsual && !kind.yielding() && executing() >= bounds.usual();
    }

    /** Whether more connections are executing than may, so that one of this kind that is left over should become idle. */
    boolean isExceeded(PoolKey kind) {
        return connections.beyondUsual && !kind.yielding() && executing() > bounds.usual();
    }

    /** Returns the number of connections in use that do not yield and are neither private nor at rest. */
    private int executing() {
        return connections.count(false) - idle.count(false);
    }

    /** Whether all event loops together may open one more connection that is not reserved. */
    boolean isWithinBudget() {
        return budget.allowsOneMore(false);
    }

    /**
     * Whether one more connection of this kind may be opened as things are.
     *
     * @param reserved whether it may be one of the reserved connections
     */
    boolean allows(PoolKey kind, boolean reserved) {
        return bounds.allow(kind.yielding(), connections.count(false), connections.count(true))
                && (kind.yielding() || budget.allowsOneMore(reserved));
    }

    // --- changes

    /** Bounds the number of connections otherwise from now on. */
    void reconfigure(PoolBounds now) {
        bounds = now;
        connections.usual(now.usual());
    }

    /**
     * Takes room for a connection of this kind that is about to be opened.
     *
     * @param reserved whether it may be one of the reserved connections
     * @return false if there is none
     */
    boolean take(PoolKey kind, boolean reserved) {
        if (!kind.yielding() && !budget.take(false) && !(reserved && budget.take(true))) {
            return false;
        }
        connections.reaching(kind);
        return true;
    }

    /** Makes room for one more connection of this kind. @return whether there is any now */
    boolean make(PoolKey kind, boolean reserved) {
        if (allows(kind, reserved)) {
            return true;
        }
        if (kind.yielding()) {
            long since = clock.getAsLong() - UNUSED_NANOS;
            return close(idle.takeOldest(one -> one.key().yielding() && one.pooled.idleSinceNanos - since < 0));
        }
        if (isFull(kind)) {
            return false;
        }
        boolean tooManyYield = bounds.areExceeded(connections.count(true));
        return closeOneIdle(other -> !other.yielding() || tooManyYield);
    }

    /** Closes the longest idle connection of such a kind. @return false if there is none */
    boolean closeOneIdle(Predicate<PoolKey> kind) {
        return close(idle.takeOldest(one -> kind.test(one.key())));
    }

    /** Closes an idle connection if more are open than usual, after one has been added to those that sessions share. */
    void closeOneTooMany() {
        if (connections.beyondUsual && connections.count(false) > bounds.usual()) {
            closeOneIdle(kind -> !kind.yielding());
        }
    }

    /** Closes connections that have been idle since {@code nanos} or longer. */
    void closeIdleSince(long nanos) {
        idle.closeSince(nanos);
        // These surplus connections were opened while others were at rest.
        long surplusSince = clock.getAsLong() - SURPLUS_NANOS;
        while (connections.beyondUsual
                && connections.count(false) > bounds.usual()
                && close(idle.takeOldest(
                        one -> !one.key().yielding() && one.pooled.idleSinceNanos - surplusSince < 0))) {
            // Each test closes one connection.
        }
    }

    /** Closes a connection that is in no use. @return whether there was one */
    boolean close(@Nullable BackendConnection connection) {
        if (connection == null) {
            return false;
        }
        remove(connection);
        connection.discard();
        return true;
    }

    /** Removes a connection that is closed. */
    void remove(BackendConnection connection) {
        connections.remove(connection);
        shared.remove(connection);
    }
}
