package io.multimed.core.propagation;

/**
 * Records the times at which commits were received, to convert a position into an age.
 *
 * <p>A ring of samples. {@link #sample} is called by one timer thread; the precision is the timer's period.
 */
public final class LagMeter {
    private static final int SAMPLES = 4096;
    private static final double NANOS_PER_MILLI = 1e6;

    private final long[] times = new long[SAMPLES];
    private final long[] floors = new long[SAMPLES];
    private int next;
    private int size;

    /**
     * Records that at {@code nowNanos} (monotonic) the last received commit was {@code floor}; an unchanged floor is not recorded.
     */
    public synchronized void sample(long nowNanos, long floor) {
        if (size > 0 && floors[Math.floorMod(next - 1, SAMPLES)] >= floor) {
            return;
        }
        times[next] = nowNanos;
        floors[next] = floor;
        next = (next + 1) % SAMPLES;
        size = Math.min(size + 1, SAMPLES);
    }

    /** Returns the time since the oldest commit beyond {@code applied} was received, in milliseconds; 0 if there is none. */
    public synchronized double lagMillis(long nowNanos, long applied) {
        long since = nowNanos;
        for (int i = 1; i <= size; i++) {
            int at = Math.floorMod(next - i, SAMPLES);
            if (floors[at] <= applied) {
                break;
            }
            since = times[at];
        }
        return (nowNanos - since) / NANOS_PER_MILLI;
    }
}
