package io.multimed.testkit.history;

import java.util.Arrays;

/** The largest of the values added before a given time. Values are added in the order of their times. */
final class RunningMaximum {
    private long[] times = new long[64];
    private int[] maxima = new int[64];
    private int size;

    void add(long time, int value) {
        if (size == times.length) {
            times = Arrays.copyOf(times, size * 2);
            maxima = Arrays.copyOf(maxima, size * 2);
        }
        times[size] = time;
        maxima[size] = size == 0 ? value : Math.max(value, maxima[size - 1]);
        size++;
    }

    /** Returns the maximum over all values whose time lies strictly before; 0 where there are none. */
    int before(long time) {
        int count = countBefore(time);
        return count == 0 ? 0 : maxima[count - 1];
    }

    /** Returns how many values have a time strictly before. */
    int countBefore(long time) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (times[middle] < time) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
