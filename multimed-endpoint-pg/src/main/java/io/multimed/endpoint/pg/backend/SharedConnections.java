package io.multimed.endpoint.pg.backend;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one node behind whose unit others may send theirs, and the requests that wait for room on one.
 *
 * <p>Only the first few connections of each kind are used: those left by a burst run dry and become idle again. When these few are
 * full a session waits, rather than let one more process of the engine contend with theirs for a core.
 */
final class SharedConnections {
    private static final class Kind {
        final List<BackendConnection> offered = new ArrayList<>();
        final ArrayDeque<ConnectionRequest> queue = new ArrayDeque<>();
    }

    private final Map<PoolKey, Kind> kinds = new HashMap<>();
    private final ReadSharing sharing;
    /** The requests for an exclusive connection, which may be served here first. */
    private final ConnectionQueue exclusive;
    /** Starts the periodic check for sessions that wait behind another one. */
    private final Runnable watch;
    /** Number of requests in all queues. */
    private int waitingCount;
    /** Whether waiters are being given a connection that others use; guards against re-entry. */
    private boolean joining;

    private long behind;
    private long displaced;

    /**
     * Creates an empty list.
     *
     * @param exclusive the requests for an exclusive connection
     * @param watch starts the periodic check for sessions that wait behind another one
     */
    SharedConnections(ReadSharing sharing, ConnectionQueue exclusive, Runnable watch) {
        this.sharing = sharing;
        this.exclusive = exclusive;
        this.watch = watch;
    }

    int mostFollowers() {
        return sharing.unitsEach() - 1;
    }

    // --- units sent behind others

    /**
     * Lets the waiter send its unit behind those under way on the least used connection.
     *
     * @return the connection; null if there is none on which it may
     */
    @Nullable
    BackendConnection follow(ConnectionRequest request) {
        BackendConnection used = leastUsed(request.key(), request.waiter());
        if (used != null) {
            join(used, request.waiter());
        }
        return used;
    }

    private void join(BackendConnection connection, BackendWaiter waiter) {
        behind++;
        connection.users.add(waiter);
        watch.run();
    }

    /** Lets the first waiters follow on the connection, after one of its users was answered or has sent its unit. */
    void advanced(BackendConnection connection) {
        if (joining || (waitingCount == 0 && exclusive.isEmpty())) {
            return;
        }
        joining = true;
        try {
            while (connection.users.takeMore()) {
                ConnectionRequest first = exclusive.firstInLineFor(connection.key());
                boolean toShare = first == null;
                if (toShare) {
                    first = first(connection.key());
                }
                if (first == null
                        || !first.key().equals(connection.key())
                        || !first.waiter().mayFollow(connection)) {
                    return;
                }
                if (toShare) {
                    take(connection.key());
                } else {
                    exclusive.remove(first);
                }
                join(connection, first.waiter());
                first.waiter().acquired(connection);
            }
        } finally {
            joining = false;
        }
    }

    /** Records that units sent behind others have to be sent elsewhere. */
    void displaced(int units) {
        displaced += units;
    }

    /** Returns the total number of units sent behind those of other sessions. */
    long behindCount() {
        return behind;
    }

    /** Returns the total number of such units that had to be sent elsewhere instead. */
    long displacedCount() {
        return displaced;
    }

    // --- connections

    /** Adds a connection whose user lets others share it. */
    void add(BackendConnection connection) {
        connection.pooled.listed = true;
        kinds.computeIfAbsent(connection.key(), key -> new Kind()).offered.add(connection);
    }

    void remove(BackendConnection connection) {
        connection.pooled.listed = false;
        Kind kind = kinds.get(connection.key());
        if (kind != null && kind.offered.remove(connection) && kind.offered.isEmpty() && kind.queue.isEmpty()) {
            kinds.remove(connection.key());
        }
    }

    /**
     * Returns the connection with the fewest units under way on which the waiter may send its own now; null if there is none, or
     * other requests wait for that.
     */
    private @Nullable BackendConnection leastUsed(PoolKey key, BackendWaiter waiter) {
        Kind kind = kinds.get(key);
        if (kind == null || !kind.queue.isEmpty()) {
            return null;
        }
        BackendConnection least = null;
        int suitable = 0;
        Iterator<BackendConnection> offered = kind.offered.iterator();
        while (offered.hasNext() && suitable < sharing.connections()) {
            BackendConnection connection = offered.next();
            if (!connection.users.areOffered()) {
                // The offer has been withdrawn meanwhile.
                offered.remove();
                connection.pooled.listed = false;
            } else if (isSuitable(connection, waiter)) {
                suitable++;
                if (connection.users.takeMore()
                        && (least == null || connection.users.followerCount() < least.users.followerCount())) {
                    least = connection;
                }
            }
        }
        return least;
    }

    private static boolean isSuitable(BackendConnection connection, BackendWaiter waiter) {
        return connection.users.areOffered() && connection.isWritable() && waiter.mayFollow(connection);
    }

    /** Whether the intended number of connections is busy such that the waiter may follow on them when there is room. */
    private boolean suffice(Kind kind, BackendWaiter waiter) {
        int suitable = 0;
        for (int i = 0; i < kind.offered.size() && suitable < sharing.connections(); i++) {
            if (isSuitable(kind.offered.get(i), waiter)) {
                suitable++;
            }
        }
        return suitable == sharing.connections();
    }

    /**
     * Whether the intended number of suitable connections is full. A connection that has room but is not given to the waiters is of
     * no use to them, so it does not count.
     */
    private boolean fullOnesSuffice(Kind kind, BackendWaiter waiter) {
        int full = 0;
        for (int i = 0; i < kind.offered.size() && full < sharing.connections(); i++) {
            BackendConnection connection = kind.offered.get(i);
            if (isSuitable(connection, waiter) && !connection.users.takeMore()) {
                full++;
            }
        }
        return full == sharing.connections();
    }

    // --- requests that wait for room

    /** @return false if the request should get an exclusive connection instead */
    boolean await(ConnectionRequest waiting) {
        Kind kind = mostFollowers() == 0 ? null : kinds.get(waiting.key());
        if (kind == null || !suffice(kind, waiting.waiter())) {
            return false;
        }
        kind.queue.add(waiting);
        waitingCount++;
        return true;
    }

    private @Nullable ConnectionRequest first(PoolKey key) {
        Kind kind = kinds.get(key);
        return kind == null ? null : kind.queue.peekFirst();
    }

    /** Takes the first request that waits for a connection of this kind; null if there is none. */
    @Nullable
    ConnectionRequest take(PoolKey key) {
        Kind kind = kinds.get(key);
        ConnectionRequest first = kind == null ? null : kind.queue.pollFirst();
        waitingCount -= first == null ? 0 : 1;
        return first;
    }

    /**
     * Hands over requests for which too few connections are shared now. It does so a few at a time, since the connections that
     * those get may become shared too.
     *
     * @return whether any request still waits
     */
    boolean giveUp(Consumer<ConnectionRequest> to) {
        boolean any = false;
        for (Kind kind : List.copyOf(kinds.values())) {
            for (int left = sharing.connections(); left > 0; left--) {
                ConnectionRequest first = kind.queue.peekFirst();
                if (first == null || fullOnesSuffice(kind, first.waiter())) {
                    break;
                }
                kind.queue.remove();
                waitingCount--;
                to.accept(first);
            }
            any |= !kind.queue.isEmpty();
        }
        kinds.values().removeIf(kind -> kind.offered.isEmpty() && kind.queue.isEmpty());
        return any;
    }

    void forget(BackendWaiter waiter) {
        for (Kind kind : kinds.values()) {
            int before = kind.queue.size();
            kind.queue.removeIf(waiting -> waiting.waiter() == waiter);
            waitingCount -= before - kind.queue.size();
        }
    }

    /** Takes such requests. */
    List<ConnectionRequest> takeIf(Predicate<ConnectionRequest> such) {
        List<ConnectionRequest> taken = new ArrayList<>(0);
        for (Kind kind : kinds.values()) {
            kind.queue.removeIf(each -> such.test(each) && taken.add(each));
        }
        waitingCount -= taken.size();
        return taken;
    }

    int waitingCount() {
        return waitingCount;
    }
}
