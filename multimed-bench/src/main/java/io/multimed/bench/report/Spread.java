package io.multimed.bench.report;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Median and range over the repetitions of a run; NaN where there are none. */
record Spread(double median, double least, double most) {
    static Spread of(List<Run> runs, ToDoubleFunction<Run> value) {
        double[] values = runs.stream().mapToDouble(value).toArray();
        return new Spread(
                Statistics.median(values),
                Arrays.stream(values).min().orElse(Double.NaN),
                Arrays.stream(values).max().orElse(Double.NaN));
    }
}
