package io.multimed.server.metrics;

import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/** A Prometheus histogram of waits that are counted elsewhere. */
final class WaitHistogram implements Collector {
    private static final double MICROS_PER_SECOND = 1e6;
    private static final double[] BOUNDS_SECONDS = {
        0.0001,
        0.00025,
        0.0005,
        0.001,
        0.0025,
        0.005,
        0.01,
        0.025,
        0.05,
        0.1,
        0.25,
        0.5,
        1,
        2.5,
        5,
        Double.POSITIVE_INFINITY
    };

    private final String name;
    private final String help;
    private final Supplier<Map<Long, Long>> waits;
    private final DoubleSupplier seconds;

    /**
     * Creates the histogram.
     *
     * @param waits numbers of waits, by their longest time in whole microseconds (fractions left out)
     * @param seconds total time of all waits
     */
    WaitHistogram(String name, String help, Supplier<Map<Long, Long>> waits, DoubleSupplier seconds) {
        this.name = name;
        this.help = help;
        this.waits = waits;
        this.seconds = seconds;
    }

    @Override
    public HistogramSnapshot collect() {
        long[] counts = new long[BOUNDS_SECONDS.length];
        waits.get().forEach((micros, count) -> counts[bucket(micros)] += count);
        return HistogramSnapshot.builder()
                .name(name)
                .help(help)
                .dataPoint(HistogramDataPointSnapshot.builder()
                        .classicHistogramBuckets(ClassicHistogramBuckets.of(BOUNDS_SECONDS, counts))
                        .sum(seconds.getAsDouble())
                        .build())
                .build();
    }

    @Override
    public String getPrometheusName() {
        return name;
    }

    /** Returns the first bucket whose bound the waits certainly did not exceed. */
    private static int bucket(long atMostMicros) {
        int bucket = 0;
        while ((atMostMicros + 1) / MICROS_PER_SECOND > BOUNDS_SECONDS[bucket]) {
            bucket++;
        }
        return bucket;
    }
}
