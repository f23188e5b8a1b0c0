package io.multimed.endpoint.pg.backend;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Of one Satellite the reads that take long: no more of them run side by side than there are cores, so that short ones need not
 * share the cores with many. Whoever has run for a quarter of a second counts no more, so that one that takes minutes does not
 * keep others from being served. Those that take less than ten milliseconds and those that take more do not count for each other:
 * a read of two milliseconds does not wait until one of fifty, which leaves the cores to everybody else, has got as much of them.
 * While others run, too, those that take more get not all of the cores but five eighths: with as many as cores, all take longer, and
 * fewer find that what they ask for waits already, and need not be executed again.
 *
 * <p>Among those who wait the next is whose wait is longest in proportion to how long it will take (Brinch Hansen's highest
 * response ratio next): no read stands for a second behind others that take ten times as long, and none waits for ever, since
 * its ratio grows too.
 */
final class LongReadQueue {
    private static final long COUNTS_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long VERY_LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    /** Eighths of the places. */
    private static final int LEFT_TO_VERY_LONG = 5;

    /** It runs, or has been told to. */
    private record Running(long sinceNanos, boolean isVeryLong) {}

    private final int most;
    private final BooleanSupplier othersRun;
    private final LongSupplier clock;
    /** In the order in which they came. */
    private final List<ConnectionRequest> queue = new ArrayList<>(0);

    private final Map<BackendWaiter, Running> running = new HashMap<>();

    /**
     * @param most so many of either kind run side by side
     * @param othersRun whether reads that do not take long are under way
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
     * Asks for a place.
     *
     * @return false when it waits for one now
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

    /** The next who may be served now. */
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

    /** How many run, as far as they count. */
    int runningCount() {
        return running.size();
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
        queue.removeIf(waiting -> waiting.waiter() == waiter);
    }

    /** Takes those who have waited since then or longer. */
    List<ConnectionRequest> takeWaitingSince(long nanos) {
        List<ConnectionRequest> taken = new ArrayList<>(0);
        while (!queue.isEmpty() && queue.getFirst().sinceNanos() - nanos < 0) {
            taken.add(queue.removeFirst());
        }
        return taken;
    }

    List<ConnectionRequest> takeAll() {
        List<ConnectionRequest> taken = List.copyOf(queue);
        queue.clear();
        return taken;
    }
}
