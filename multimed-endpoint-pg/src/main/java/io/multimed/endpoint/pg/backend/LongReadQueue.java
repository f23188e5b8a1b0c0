package io.multimed.endpoint.pg.backend;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The queue of long reads of one Satellite. At most as many long reads run side by side as there are cores, so that short reads
 * need not share the cores with many. A read that has run for a quarter of a second no longer counts, so that one that takes
 * minutes does not keep others waiting. Reads that take less than ten milliseconds and reads that take more do not count for each
 * other: a read of two milliseconds does not wait for one of fifty, which leaves the cores to all others. While short reads run
 * too, the reads that take more than ten milliseconds get only five eighths of the places. With all places, every read would take
 * longer, and fewer reads would find an identical one that still waits and whose result they can share.
 *
 * <p>The next request is the one whose wait is longest in proportion to its expected time (Brinch Hansen's highest response ratio
 * next). So no read waits a second behind others that take ten times as long, and none waits for ever, since its ratio grows too.
 */
final class LongReadQueue {
    private static final long COUNTS_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long VERY_LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    /** Eighths of the places that very long reads get while short reads run. */
    private static final int LEFT_TO_VERY_LONG = 5;

    /** A read that runs, or has been admitted. */
    private record Running(long sinceNanos, boolean isVeryLong) {}

    private final int most;
    private final BooleanSupplier othersRun;
    private final LongSupplier clock;
    /** The waiting requests, in order of arrival. */
    private final List<ConnectionRequest> queue = new ArrayList<>(0);

    private final Map<BackendWaiter, Running> running = new HashMap<>();
    /** Whether waiting requests are being served; guards against re-entry. */
    private boolean serving;

    /**
     * Creates an empty queue.
     *
     * @param most number of reads of either class that may run side by side
     * @param othersRun whether short reads are under way
     * @param clock in nanoseconds
     */
    LongReadQueue(int most, BooleanSupplier othersRun, LongSupplier clock) {
        this.most = most;
        this.othersRun = othersRun;
        this.clock = clock;
    }

    private static boolean isVeryLong(ConnectionRequest request) {
        return request.expectedNanos() >= VERY_LONG_NANOS;
    }

    /**
     * Requests a place.
     *
     * @return false if the request has to wait
     */
    boolean enter(ConnectionRequest request) {
        long now = clock.getAsLong();
        boolean veryLong = isVeryLong(request);
        boolean first = queue.stream().noneMatch(other -> isVeryLong(other) == veryLong);
        if (first && hasRoom(now, veryLong)) {
            running.put(request.waiter(), new Running(now, veryLong));
            return true;
        }
        queue.add(request);
        return false;
    }

    private boolean hasRoom(long nowNanos, boolean forVeryLong) {
        running.values().removeIf(one -> nowNanos - one.sinceNanos() > COUNTS_NANOS);
        int alike = 0;
        for (Running one : running.values()) {
            alike += one.isVeryLong() == forVeryLong ? 1 : 0;
        }
        return alike < (forVeryLong && othersRun.getAsBoolean() ? Math.max(1, most * LEFT_TO_VERY_LONG / 8) : most);
    }

    /** Takes the next request that may be served now; null if there is none. */
    @Nullable
    ConnectionRequest next() {
        if (queue.isEmpty()) {
            return null;
        }
        long now = clock.getAsLong();
        boolean room = hasRoom(now, false);
        boolean roomForVeryLong = hasRoom(now, true);
        ConnectionRequest next = null;
        for (ConnectionRequest each : queue) {
            if ((isVeryLong(each) ? roomForVeryLong : room)
                    && (next == null || each.waitRatio(now) > next.waitRatio(now))) {
                next = each;
            }
        }
        if (next != null) {
            queue.remove(next);
            running.put(next.waiter(), new Running(now, isVeryLong(next)));
        }
        return next;
    }

    /** Hands over the waiting requests that may be served now. */
    void serve(Consumer<ConnectionRequest> to) {
        if (serving) {
            return;
        }
        serving = true;
        try {
            for (ConnectionRequest next = next(); next != null; next = next()) {
                to.accept(next);
            }
        } finally {
            serving = false;
        }
    }

    /** Removes a waiter that no longer uses its connection, or that was admitted but got none. */
    void left(BackendWaiter waiter) {
        running.remove(waiter);
    }

    /** Returns the number of running reads, possibly including some that no longer count. */
    int runningCount() {
        return running.size();
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    int size() {
        return queue.size();
    }

    /** Removes the waiter's request. */
    void forget(BackendWaiter waiter) {
        left(waiter);
        queue.removeIf(waiting -> waiting.waiter() == waiter);
    }

    /** Takes such requests. */
    List<ConnectionRequest> takeIf(Predicate<ConnectionRequest> such) {
        List<ConnectionRequest> taken = new ArrayList<>(0);
        queue.removeIf(each -> such.test(each) && taken.add(each));
        return taken;
    }
}
