package io.multimed.bench.projection;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The result of a projection: a range instead of a number. */
record Band(double least, double most) {
    private static final double OUTSIDE = 0.05;

    /** Returns the range of the middle nine tenths of the values. */
    static Band of(List<Double> values) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        int cut = (int) (sorted.length * OUTSIDE);
        return new Band(sorted[cut], sorted[sorted.length - 1 - cut]);
    }

    Band with(Band other) {
        return new Band(Math.min(least, other.least), Math.max(most, other.most));
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.0f-%.0f", least, most);
    }
}
