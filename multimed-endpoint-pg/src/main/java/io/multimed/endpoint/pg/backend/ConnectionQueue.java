package io.multimed.endpoint.pg.backend;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The requests for an exclusive connection to one node, in order of arrival. A later request is served first if a connection of its
 * kind is left over; the time that the first one is passed over is limited.
 */
final class ConnectionQueue {
    private static final long PATIENCE_WITH_OTHER_KINDS = TimeUnit.MILLISECONDS.toNanos(50);

    private final LongSupplier clock;
    private final ArrayDeque<ConnectionRequest> waiting = new ArrayDeque<>();

    /** @param clock in nanoseconds */
    ConnectionQueue(LongSupplier clock) {
        this.clock = clock;
    }

    void add(ConnectionRequest request) {
        waiting.add(request);
    }

    /** Removes a request that has been served. */
    void remove(ConnectionRequest request) {
        waiting.remove(request);
    }

    int size() {
        return waiting.size();
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Whether a request for this kind waits that may use a reserved connection. */
    boolean mayUseReserved(PoolKey kind) {
        return firstReserved(kind) != null;
    }

    private @Nullable ConnectionRequest firstReserved(PoolKey kind) {
        for (ConnectionRequest each : waiting) {
            if (each.key().equals(kind) && each.waiter().mayUseReserved()) {
                return each;
            }
        }
        return null;
    }

    /** Takes the first request of this kind that may use a reserved connection; null if there is none. */
    @Nullable
    ConnectionRequest takeReserved(PoolKey kind) {
        ConnectionRequest first = firstReserved(kind);
        if (first != null) {
            waiting.remove(first);
        }
        return first;
    }

    /** Returns the waiter's request; null if there is none. */
    @Nullable
    ConnectionRequest of(BackendWaiter waiter) {
        for (ConnectionRequest each : waiting) {
            if (each.waiter() == waiter) {
                return each;
            }
        }
        return null;
    }

    /** Whether more than {@code count} requests wait for a connection of this kind. */
    boolean hasMoreThan(int count, PoolKey kind) {
        int left = count;
        for (ConnectionRequest each : waiting) {
            if (each.key().equals(kind) && left-- == 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether the request has waited too long to be passed over for one of another kind. */
    static boolean isOutOfPatience(ConnectionRequest request, long nowNanos) {
        return nowNanos - request.sinceNanos() > PATIENCE_WITH_OTHER_KINDS;
    }

    /**
     * Returns the request that a new one of this kind must not overtake: the first of its kind, or the head of the queue if that
     * has waited too long.
     */
    @Nullable
    ConnectionRequest firstInLineFor(PoolKey kind) {
        ConnectionRequest head = waiting.peekFirst();
        if (head == null || head.key().equals(kind) || isOutOfPatience(head, clock.getAsLong())) {
            return head;
        }
        for (ConnectionRequest each : waiting) {
            if (each.key().equals(kind)) {
                return each;
            }
        }
        return null;
    }

    /**
     * Returns the first request that may get a connection in place of one of kind {@code leaving}.
     *
     * @param reopening whether refused kinds are going to be requested from the engine anyway
     * @param kinds other kinds, one of which may take its place
     */
    @Nullable
    ConnectionRequest firstInPlaceOf(
            PoolKey leaving, RefusedKinds refused, boolean reopening, Predicate<PoolKey> kinds) {
        return first(kind -> refused.isRefused(kind)
                ? !reopening && refused.makesRoom(leaving, kind)
                : kind.equals(leaving) || kinds.test(kind));
    }

    /**
     * Returns the first request for which a connection may be opened.
     *
     * @param kinds kinds; a connection of one of them may be opened
     */
    @Nullable
    ConnectionRequest firstUnrefused(RefusedKinds refused, Predicate<PoolKey> kinds) {
        return first(kind -> !refused.isRefused(kind) && kinds.test(kind));
    }

    private @Nullable ConnectionRequest first(Predicate<PoolKey> kinds) {
        PoolKey rejected = null;
        for (ConnectionRequest each : waiting) {
            // Neighbours in the queue are often of the same kind, which need not be tested again.
            if (!each.key().equals(rejected)) {
                if (kinds.test(each.key())) {
                    return each;
                }
                rejected = each.key();
            }
        }
        return null;
    }

    /** Takes the first request of this kind; null if there is none. */
    @Nullable
    ConnectionRequest take(PoolKey kind) {
        for (Iterator<ConnectionRequest> queue = waiting.iterator(); queue.hasNext(); ) {
            ConnectionRequest each = queue.next();
            if (each.key().equals(kind)) {
                queue.remove();
                return each;
            }
        }
        return null;
    }

    /** Takes the first request for a long read that found no yielding connection; null if there is none. */
    @Nullable
    ConnectionRequest takeLong(PoolKey yielding) {
        for (Iterator<ConnectionRequest> queue = waiting.iterator(); queue.hasNext(); ) {
            ConnectionRequest each = queue.next();
            if (each.expectedNanos() > 0 && each.key().yieldingOnes().equals(yielding)) {
                queue.remove();
                return each;
            }
        }
        return null;
    }

    /** Takes such requests. */
    List<ConnectionRequest> takeIf(Predicate<ConnectionRequest> such) {
        List<ConnectionRequest> taken = new ArrayList<>(0);
        waiting.removeIf(each -> such.test(each) && taken.add(each));
        return taken;
    }

    /** Removes the waiter's requests. */
    void forget(BackendWaiter waiter) {
        waiting.removeIf(each -> each.waiter() == waiter);
    }
}
