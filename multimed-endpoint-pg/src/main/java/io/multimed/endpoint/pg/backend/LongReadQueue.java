package io.multimed.endpoint.pg.backend;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Of one Satellite the reads that take long: no more of them run side by side than there are cores, so that short ones need not
 * share the cores with many; the others wait in the order in which they came. Whoever has run for a quarter of a second
 * counts no more, so that one that takes minutes does not keep others from being served.
 */
final class LongReadQueue {
    private static final long COUNTS_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final int most;
    private final ArrayDeque<ConnectionRequest> queue = new ArrayDeque<>(0);
    /** Those who run, or have been told to, and since when. */
    private final Map<BackendUser, Long> running = new HashMap<>();

    LongReadQueue(int most) {
        this.most = most;
    }

    /** Asks for a place. @return false when it waits for one now */
    boolean enter(ConnectionRequest request, long nowNanos) {
        if (queue.isEmpty() && hasRoom(nowNanos)) {
            running.put(request.waiter(), nowNanos);
            return true;
        }
        queue.add(request);
        return false;
    }

    private boolean hasRoom(long nowNanos) {
        if (running.size() >= most) {
            running.values().removeIf(since -> nowNanos - since > COUNTS_NANOS);
        }
        return running.size() < most;
    }

    /** The first who may be served now. */
    @Nullable
    ConnectionRequest next(long nowNanos) {
        ConnectionRequest first = queue.isEmpty() || !hasRoom(nowNanos) ? null : queue.remove();
        if (first != null) {
            running.put(first.waiter(), nowNanos);
        }
        return first;
    }

    /** Uses its connection no more, or wants none. */
    void left(@Nullable BackendUser user) {
        if (!running.isEmpty()) {
            running.remove(user);
        }
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    int size() {
        return queue.size();
    }

    void forget(BackendWaiter waiter) {
        left(waiter);
        queue.removeIf(waiting -> waiting.waiter() == waiter);
    }

    /** Takes those who have waited since then or longer. */
    List<ConnectionRequest> takeWaitingSince(long nanos) {
        List<ConnectionRequest> taken = new ArrayList<>(0);
        while (!queue.isEmpty() && queue.peekFirst().sinceNanos() - nanos < 0) {
            taken.add(queue.remove());
        }
        return taken;
    }

    List<ConnectionRequest> takeAll() {
        List<ConnectionRequest> taken = new ArrayList<>(queue);
        queue.clear();
        return taken;
    }
}
