package io.multimed.endpoint.pg.backend;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * One event loop's connections to one node that are in use but at rest. They have had no traffic for a while, because the client is
 * inactive or does not read its replies, or because the statement takes long or waits for a lock.
 *
 * <p>They do not count among the connections that execute side by side, so another connection may serve another session meanwhile.
 */
final class ParkedConnections {
    /**
     * Time without traffic after which a transaction counts as idle. A program within a transaction usually sends its next
     * statement earlier than this, even where the processors are busy. With a shorter time, more transactions would count as idle,
     * so more would execute side by side and contend for the processors: with 10 ms, all of 64 clients of TPC-B on two cores get a
     * connection.
     */
    private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Time without traffic after which a user that awaits the engine's answer counts as at rest. */
    private static final long SILENT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    /** Shortest interval between looks. Looking at all connections for each new waiter would cost more than it gains. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Set<BackendConnection> parked = new HashSet<>();
    private long lookedNanos = Long.MIN_VALUE / 2;

    int count() {
        return parked.size();
    }

    boolean contains(BackendConnection connection) {
        return connection.pooled.parked;
    }

    /** Removes a connection that is used again, or that has no user any more. */
    void remove(BackendConnection connection) {
        if (connection.pooled.parked) {
            connection.pooled.parked = false;
            parked.remove(connection);
        }
    }

    /** Whether enough time has passed since this method last returned true. */
    boolean isTimeToLook(long nowNanos) {
        if (nowNanos - lookedNanos < LOOK_NANOS) {
            return false;
        }
        lookedNanos = nowNanos;
        return true;
    }

    /** Checks whether the connection is at rest. @return whether it is, and was not before */
    boolean look(BackendConnection connection, long nowNanos) {
        if (connection.pooled.parked || !isAtRest(connection, nowNanos)) {
            return false;
        }
        connection.pooled.parked = true;
        return parked.add(connection);
    }

    private static boolean isAtRest(BackendConnection connection, long nowNanos) {
        BackendUser user = connection.users.present;
        if (user == null || connection.isOpening() || connection.key().yielding() || !connection.users.isAlone()) {
            return false;
        }
        return nowNanos - connection.pooled.movedNanos > (user.awaitsEngine() ? SILENT_NANOS : IDLE_NANOS);
    }

    /** Returns the connections that keep others waiting although their client does nothing, the longest idle first. */
    List<BackendConnection> idleSince(long nanos) {
        List<BackendConnection> idle = new ArrayList<>();
        for (BackendConnection each : parked) {
            BackendUser user = each.users.present;
            if (user != null && user.keepsOthersWaiting() && each.pooled.movedNanos - nanos < 0) {
                idle.add(each);
            }
        }
        idle.sort(Comparator.comparingLong(each -> each.pooled.movedNanos - nanos));
        return idle;
    }
}
