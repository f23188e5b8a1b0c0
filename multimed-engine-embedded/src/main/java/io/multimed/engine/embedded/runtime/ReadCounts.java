package io.multimed.engine.embedded.runtime;

import io.multimed.engine.embedded.ReadStatus;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the reads that found no fresh Satellite at once. The other reads cost so little that only their node counts them. Any
 * thread.
 */
final class ReadCounts {
    /** Number of buckets for each doubling. */
    private static final int STEPS = 8;

    private static final int STEP_BITS = 3;

    /** The reason why the Master takes a read. */
    enum OnMaster {
        NONE_SERVES("no satellite serves"),
        NONE_FRESH("no satellite was fresh in time"),
        SOONER("satellites were being changed, and the master answered sooner"),
        DEFINITION("a change of the catalog was not over in time"),
        NOT_LET_IN("satellites do not let the session in");

        private final String words;
        private final int index = ordinal();

        OnMaster(String words) {
            this.words = words;
        }
    }

    private final LongAdder[] onMaster = new LongAdder[OnMaster.values().length];
    private final LongAdder waitedNanos = new LongAdder();
    private final AtomicLongArray waits = new AtomicLongArray(Long.SIZE * STEPS);

    ReadCounts() {
        for (int i = 0; i < onMaster.length; i++) {
            onMaster[i] = new LongAdder();
        }
    }

    void onMaster(OnMaster why) {
        onMaster[why.index].increment();
    }

    void waited(long nanos) {
        waitedNanos.add(nanos);
        waits.incrementAndGet(bucket(Math.max(STEPS, nanos)));
    }

    /** Returns the bucket of a duration, given by its highest bit and the bits after it. */
    private static int bucket(long nanos) {
        int doubling = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
        return doubling * STEPS + (int) (nanos >>> (doubling - STEP_BITS) & STEPS - 1);
    }

    /** Returns the exclusive upper bound of a bucket. */
    private static long bound(int bucket) {
        return (long) (STEPS + 1 + bucket % STEPS) << (bucket / STEPS - STEP_BITS);
    }

    ReadStatus status(long onSatellites) {
        long count = 0;
        for (int i = 0; i < waits.length(); i++) {
            count += waits.get(i);
        }
        return new ReadStatus(
                onSatellites, onMaster(), count, waitedNanos.sum(), atMost(count, 0.5), atMost(count, 0.99));
    }

    private Map<String, Long> onMaster() {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (OnMaster why : OnMaster.values()) {
            counts.put(why.words, onMaster[why.index].sum());
        }
        return counts;
    }

    private long atMost(long count, double part) {
        long left = (long) Math.ceil(count * part);
        for (int i = 0; i < waits.length() && left > 0; i++) {
            left -= waits.get(i);
            if (left <= 0) {
                return bound(i);
            }
        }
        return 0;
    }
}
