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
 * Of one node those who wait for a connection to themselves, in the order in which they came. Whoever comes later is served
 * first if a connection of its kind is left over, but not for ever.
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

    /** It has got one. */
    void remove(ConnectionRequest request) {
        waiting.remove(request);
    }

    int size() {
        return waiting.size();
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Whether somebody waits for one of that kind who may use a reserved one. */
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

    /** Takes the first of that kind who may use a reserved one; null if there is none. */
    @Nullable
    ConnectionRequest takeReserved(PoolKey kind) {
        ConnectionRequest first = firstReserved(kind);
        if (first != null) {
            waiting.remove(first);
        }
        return first;
    }

    /** What the waiter has asked for; null if it is not here. */
    @Nullable
    ConnectionRequest of(BackendWaiter waiter) {
        for (ConnectionRequest each : waiting) {
            if (each.waiter() == waiter) {
                return each;
            }
        }
        return null;
    }

    /** Whether more than so many wait for one of that kind. */
    boolean hasMoreThan(int count, PoolKey kind) {
        int left = count;
        for (ConnectionRequest each : waiting) {
            if (each.key().equals(kind) && left-- == 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether it has waited for too long to be passed over for one of another kind. */
    static boolean isOutOfPatience(ConnectionRequest request, long nowNanos) {
        return nowNanos - request.sinceNanos() > PATIENCE_WITH_OTHER_KINDS;
    }

    /** Who must not be overtaken by another of that kind: one of it, or whoever has waited too long. */
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
     * The first who may get one in place of a connection of this kind.
     *
     * @param reopening those that were refused are going to be asked for anyway
     * @param kinds others of which one may take its place
     */
    @Nullable
    ConnectionRequest firstInPlaceOf(
            PoolKey leaving, RefusedKinds refused, boolean reopening, Predicate<PoolKey> kinds) {
        return first(kind -> refused.isRefused(kind)
                ? !reopening && refused.makesRoom(leaving, kind)
                : kind.equals(leaving) || kinds.test(kind));
    }

    /**
     * The first for whom one may be opened.
     *
     * @param kinds of which one may be opened
     */
    @Nullable
    ConnectionRequest firstUnrefused(RefusedKinds refused, Predicate<PoolKey> kinds) {
        return first(kind -> !refused.isRefused(kind) && kinds.test(kind));
    }

    private @Nullable ConnectionRequest first(Predicate<PoolKey> kinds) {
        PoolKey rejected = null;
        for (ConnectionRequest each : waiting) {
            // Many who wait in a row are of one kind.
            if (!each.key().equals(rejected)) {
                if (kinds.test(each.key())) {
                    return each;
                }
                rejected = each.key();
            }
        }
        return null;
    }

    /** Takes the first of that kind; null if there is none. */
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

    /** Takes the first of those whose reads take long and who found none that yields; null if there is none. */
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

    /** Takes all of that kind. */
    List<ConnectionRequest> takeAll(PoolKey kind) {
        List<ConnectionRequest> taken = new ArrayList<>();
        waiting.removeIf(each -> each.key().equals(kind) && taken.add(each));
        return taken;
    }

    List<ConnectionRequest> takeAll() {
        List<ConnectionRequest> taken = List.copyOf(waiting);
        waiting.clear();
        return taken;
    }

    /** Takes those who have waited since then or longer. */
    List<ConnectionRequest> takeWaitingSince(long nanos) {
        List<ConnectionRequest> taken = new ArrayList<>(0);
        waiting.removeIf(each -> each.sinceNanos() - nanos < 0 && taken.add(each));
        return taken;
    }

    /** Wants none any more. */
    void forget(BackendWaiter waiter) {
        waiting.removeIf(each -> each.waiter() == waiter);
    }
}
