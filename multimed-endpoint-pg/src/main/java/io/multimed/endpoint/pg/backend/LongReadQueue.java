package io.multimed.endpoint.pg.backend;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Of one Satellite the reads that take long: no more of them run side by side than there are cores, so that short ones need not
 * share the cores with many. Whoever has run for a quarter of a second counts no more, so that one that takes minutes does not
 * keep others from being served.
 *
 * <p>Among those who wait the next is whose wait is longest in proportion to how long it will take (Brinch Hansen's highest
 * response ratio next): a read of two milliseconds does not stand for a second behind reports, and no report waits for ever,
 * since its ratio grows too.
 */
final class LongReadQueue {
    private static final long COUNTS_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private record Waiting(ConnectionRequest request, long expectedNanos) {
        double ratio(long nowNanos) {
            return (double) (nowNanos - request.sinceNanos()) / expectedNanos;
        }
    }

    private final int most;
    private final LongSupplier clock;
    /** In the order in which they came. */
    private final List<Waiting> queue = new ArrayList<>(0);
    /** Those who run, or have been told to, and since when. */
    private final Map<BackendWaiter, Long> running = new HashMap<>();

    /** @param clock in nanoseconds */
    LongReadQueue(int most, LongSupplier clock) {
        this.most = most;
        this.clock = clock;
    }

    /**
     * Asks for a place.
     *
     * @param expectedNanos how long it will take
     * @return false when it waits for one now
     */
    boolean enter(ConnectionRequest request, long expectedNanos) {
        long now = clock.getAsLong();
        if (queue.isEmpty() && hasRoom(now)) {
            running.put(request.waiter(), now);
            return true;
        }
        queue.add(new Waiting(request, expectedNanos));
        return false;
    }

    private boolean hasRoom(long nowNanos) {
        if (running.size() >= most) {
            Iterator<Map.Entry<BackendWaiter, Long>> each = running.entrySet().iterator();
            while (each.hasNext()) {
                Map.Entry<BackendWaiter, Long> one = each.next();
                if (nowNanos - one.getValue() > COUNTS_NANOS) {
                    each.remove();
                }
            }
        }
        return running.size() < most;
    }

    /** The next who may be served now. */
    @Nullable
    ConnectionRequest next() {
        if (queue.isEmpty()) {
            return null;
        }
        long now = clock.getAsLong();
        if (!hasRoom(now)) {
            return null;
        }
        int next = 0;
        for (int i = 1; i < queue.size(); i++) {
            if (queue.get(i).ratio(now) > queue.get(next).ratio(now)) {
                next = i;
            }
        }
        ConnectionRequest request = queue.remove(next).request();
        running.put(request.waiter(), now);
        return request;
    }

    /** Uses its connection no more. */
    void left(@Nullable BackendUser user) {
        if (!running.isEmpty() && user instanceof BackendWaiter waiter) {
            running.remove(waiter);
        }
    }

    /** Was told to run, and got no connection. */
    void gotNone(BackendWaiter waiter) {
        running.remove(waiter);
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    int size() {
        return queue.size();
    }

    /** Wants none any more. */
    void forget(BackendWaiter waiter) {
        gotNone(waiter);
        queue.removeIf(waiting -> waiting.request().waiter() == waiter);
    }

    /** Takes those who have waited since then or longer. */
    List<ConnectionRequest> takeWaitingSince(long nanos) {
        List<ConnectionRequest> taken = new ArrayList<>(0);
        while (!queue.isEmpty() && queue.getFirst().request().sinceNanos() - nanos < 0) {
            taken.add(queue.removeFirst().request());
        }
        return taken;
    }

    List<ConnectionRequest> takeAll() {
        List<ConnectionRequest> taken = new ArrayList<>(queue.size());
        queue.forEach(waiting -> taken.add(waiting.request()));
        queue.clear();
        return taken;
    }
}
