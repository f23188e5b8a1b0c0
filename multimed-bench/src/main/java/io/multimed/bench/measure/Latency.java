package io.multimed.bench.measure;

import org.HdrHistogram.AbstractHistogram;

/** Latency of one operation in the measured window, in milliseconds; all 0 when there was none. */
public record Latency(double mean, double p50, double p90, double p95, double p99, double max) {
    private static final double MICROS_PER_MILLI = 1e3;

    /** @param micros holds microseconds */
    static Latency of(AbstractHistogram micros) {
        return micros.getTotalCount() == 0
                ? new Latency(0, 0, 0, 0, 0, 0)
                : new Latency(
                        micros.getMean() / MICROS_PER_MILLI,
                        at(micros, 50),
                        at(micros, 90),
                        at(micros, 95),
                        at(micros, 99),
                        micros.getMaxValue() / MICROS_PER_MILLI);
    }

    private static double at(AbstractHistogram micros, double percentile) {
        return micros.getValueAtPercentile(percentile) / MICROS_PER_MILLI;
    }
}
