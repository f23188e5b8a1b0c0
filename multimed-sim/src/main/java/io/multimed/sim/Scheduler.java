package io.multimed.sim;

import java.util.PriorityQueue;
import java.util.SplittableRandom;

/** Virtual time, the one queue of pending events, and the one source of randomness. */
final class Scheduler {
    static final long MICROSECOND = 1_000;
    static final long MILLISECOND = 1_000_000;

    private record Event(long time, long number, String what, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(time, other.time);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    private final PriorityQueue<Event> pending = new PriorityQueue<>();
    private final SplittableRandom random;
    private long now;
    private long events;
    private long hash = 17;

    Scheduler(long seed) {
        random = new SplittableRandom(seed);
    }

    /** Returns the nanoseconds since the simulation began. */
    long now() {
        return now;
    }

    /** Returns a number that depends on every event, its time and its order. */
    long hash() {
        return hash;
    }

    /**
     * Schedules an event.
     *
     * @param what names it in the trace
     */
    void at(long time, String what, Runnable action) {
        pending.add(new Event(Math.max(time, now), events++, what, action));
    }

    void after(long delay, String what, Runnable action) {
        at(now + delay, what, action);
    }

    /** Schedules an event again and again, first after one period. */
    void every(long period, String what, Runnable action) {
        after(period, what, () -> {
            action.run();
            every(period, what, action);
        });
    }

    /** Executes all events that are pending up to {@code time}. */
    void runUntil(long time) {
        Event next;
        while ((next = pending.peek()) != null && next.time <= time) {
            pending.remove();
            now = next.time;
            trace(next.what);
            next.action.run();
        }
        now = time;
    }

    /** Adds something to the trace that is not an event. */
    void trace(Object what) {
        hash = (hash * 31 + now) * 31 + what.hashCode();
    }

    /** Returns a number from {@code low} to below {@code high}. */
    long between(long low, long high) {
        return random.nextLong(low, high);
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    /** Returns a delay that is mostly about as long as usual, now and then ten times, rarely a hundred times. */
    long delay(long usual) {
        long base = usual / 2 + random.nextLong(usual);
        int luck = random.nextInt(1_000);
        return luck < 3 ? base * 100 : luck < 50 ? base * 10 : base;
    }
}
