package io.multimed.endpoint.pg.backend;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * One event loop's connections to one node that are in use and at rest: nothing has passed over them for a while, because
 * the client has the turn, does not read what it is sent, or because its statement takes long or waits for a lock.
 *
 * <p>They do not count among those that execute side by side, so another connection may serve somebody else meanwhile.
 */
final class ParkedConnections {
    /**
     * A program that has the turn within a transaction usually sends its next statement earlier than this, even where the
     * processors are busy. If more transactions counted as idle, more would execute side by side, and contend for the
     * processors: with 10 ms instead, all of 64 clients of TPC-B on two cores get a connection.
     */
    private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long SILENT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    /** Looking at all connections for each who begins to wait would cost more than it gains. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Set<BackendConnection> parked = new HashSet<>();
    private long lookedNanos = Long.MIN_VALUE / 2;

    int count() {
        return parked.size();
    }

    boolean contains(BackendConnection connection) {
        return connection.parked;
    }

    /** It is used again, or by nobody any more. */
    void remove(BackendConnection connection) {
        if (connection.parked) {
            connection.parked = false;
            parked.remove(connection);
        }
    }

    /** Whether some time has passed since it was true last. */
    boolean isTimeToLook(long nowNanos) {
        if (nowNanos - lookedNanos < LOOK_NANOS) {
            return false;
        }
        lookedNanos = nowNanos;
        return true;
    }

    /** Looks whether the connection is at rest. @return whether it is, and was not before */
    boolean look(BackendConnection connection, long nowNanos) {
        if (connection.parked || !connection.isAtRest(nowNanos, IDLE_NANOS, SILENT_NANOS)) {
            return false;
        }
        connection.parked = true;
        return parked.add(connection);
    }

    /** Those that keep others waiting although their client does nothing, the longest idle first. */
    List<BackendConnection> idleSince(long nanos) {
        List<BackendConnection> idle = new ArrayList<>();
        for (BackendConnection each : parked) {
            BackendUser user = each.user();
            if (user != null && user.keepsOthersWaiting() && each.movedNanos() - nanos < 0) {
                idle.add(each);
            }
        }
        idle.sort(Comparator.comparingLong(each -> each.movedNanos() - nanos));
        return idle;
    }
}
