package io.multimed.core.propagation;

/**
 * Recent values of the floor, for reads that accept a stated lag.
 *
 * <p>A ring of samples. {@link #sample} is called by one timer thread, {@link #floorAt} by any.
 */
public final class FloorHistory {
    private static final int SAMPLES = 1024;

    private final long[] times = new long[SAMPLES];
    private final long[] floors = new long[SAMPLES];
    private int next;
    private int size;

    /**
     * Records that at {@code nowNanos} (monotonic, read before the floor was) the floor was {@code floor}. An unknown floor is not
     * recorded.
     */
    public synchronized void sample(long nowNanos, long floor) {
        if (floor == MasterLog.UNKNOWN) {
            return;
        }
        times[next] = nowNanos;
        floors[next] = floor;
        next = (next + 1) % SAMPLES;
        size = Math.min(size + 1, SAMPLES);
    }

    /**
     * Returns a floor at least as high as the one at {@code timeNanos}: that of the first sample taken then or later, so the oldest
     * one if the history does not reach back so far. Returns {@link MasterLog#UNKNOWN} if the last sample is older; the caller must
     * then use the present floor.
     */
    public synchronized long floorAt(long timeNanos) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (times[place(middle)] - timeNanos < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == size ? MasterLog.UNKNOWN : floors[place(low)];
    }

    /** Returns the index of the {@code nth} sample, counted from the oldest. */
    private int place(int nth) {
        return Math.floorMod(next - size + nth, SAMPLES);
    }
}
