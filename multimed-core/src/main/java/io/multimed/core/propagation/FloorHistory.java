package io.multimed.core.propagation;

/**
 * What the floor was a while ago, for reads that accept a stated lag.
 *
 * <p>A ring of samples. {@link #sample} is called by one timer thread, {@link #floorAt} by any.
 */
public final class FloorHistory {
    private static final int SAMPLES = 1024;

    private final long[] times = new long[SAMPLES];
    private final long[] floors = new long[SAMPLES];
    private int next;
    private int size;

    /** Records that at {@code nowNanos} (monotonic) the floor was {@code floor}. */
    public synchronized void sample(long nowNanos, long floor) {
        times[next] = nowNanos;
        floors[next] = floor;
        next = (next + 1) % SAMPLES;
        size = Math.min(size + 1, SAMPLES);
    }

    /**
     * A floor not older than {@code timeNanos}: the first sample at or after it. Without such a sample, the latest;
     * {@link MasterLog#UNKNOWN} without any.
     */
    public synchronized long floorAt(long timeNanos) {
        long answer = MasterLog.UNKNOWN;
        for (int i = 1; i <= size; i++) {
            int at = Math.floorMod(next - i, SAMPLES);
            if (i > 1 && times[at] - timeNanos < 0) {
                break;
            }
            answer = floors[at];
        }
        return answer;
    }
}
