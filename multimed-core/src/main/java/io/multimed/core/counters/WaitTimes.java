package io.multimed.core.counters;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLongArray;

/** A histogram of waiting times whose buckets are an eighth of an octave wide. Written by one loop, read by any thread. */
public final class WaitTimes {
    private static final int STEPS_BITS = 3;
    private static final int STEPS = 1 << STEPS_BITS;
    /** Enough for 2^40 microseconds, which are twelve days. */
    private static final int BUCKETS = (40 - STEPS_BITS + 1) * STEPS;

    private static final long NANOS_PER_MICRO = 1_000;

    private final AtomicLongArray counts = new AtomicLongArray(BUCKETS);

    void add(long nanos) {
        counts.incrementAndGet(bucket(Math.max(0, nanos / NANOS_PER_MICRO)));
    }

    /** Adds the number of waits in each bucket to {@code others}, whose keys are the upper bounds in microseconds. */
    public void addTo(Map<Long, Long> others) {
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            long count = counts.get(bucket);
            if (count > 0) {
                others.merge(atMost(bucket), count, Long::sum);
            }
        }
    }

    Map<Long, Long> byMicros() {
        Map<Long, Long> all = new TreeMap<>();
        addTo(all);
        return all;
    }

    /** The bucket of a time. Each octave has the same number of buckets; each smaller number has its own. */
    private static int bucket(long micros) {
        if (micros < STEPS) {
            return (int) micros;
        }
        int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(micros) - STEPS_BITS;
        int step = (int) (micros >>> shift) - STEPS;
        return Math.min(BUCKETS - 1, (shift + 1) * STEPS + step);
    }

    private static long atMost(int bucket) {
        if (bucket < STEPS) {
            return bucket;
        }
        int shift = bucket / STEPS - 1;
        return ((long) (STEPS + bucket % STEPS + 1) << shift) - 1;
    }
}
