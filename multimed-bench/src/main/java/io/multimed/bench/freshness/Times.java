package io.multimed.bench.freshness;

import io.multimed.bench.report.Figure;
import java.util.List;
import org.HdrHistogram.ConcurrentHistogram;

/** A distribution of times. Any thread. */
final class Times {
    private static final double MICROS_PER_MILLI = 1e3;

    private final ConcurrentHistogram micros = new ConcurrentHistogram(3_600_000_000L, 3);

    void add(long nanos) {
        addMicros(nanos / 1_000, 1);
    }

    void addMicros(long time, long count) {
        micros.recordValueWithCount(Math.clamp(time, 0, micros.getHighestTrackableValue()), count);
    }

    long count() {
        return micros.getTotalCount();
    }

    /** Returns figures of the times; none if there was no time. */
    List<Figure> figures(String name) {
        return count() == 0
                ? List.of()
                : List.of(
                        new Figure(name + ", p50", "ms", micros.getValueAtPercentile(50) / MICROS_PER_MILLI),
                        new Figure(name + ", p99", "ms", micros.getValueAtPercentile(99) / MICROS_PER_MILLI),
                        new Figure(name + ", max", "ms", micros.getMaxValue() / MICROS_PER_MILLI));
    }
}
