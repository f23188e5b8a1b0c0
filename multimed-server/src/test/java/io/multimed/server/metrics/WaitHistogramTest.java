package io.multimed.server.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBucket;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class WaitHistogramTest {
    private static HistogramDataPointSnapshot collected(Map<Long, Long> waits) {
        return new WaitHistogram("waited_seconds", "How long", () -> waits, () -> 7.5)
                .collect()
                .getDataPoints()
                .get(0);
    }

    /** Returns the number of waits in each bucket, without empty buckets. */
    private static Map<Double, Long> counts(Map<Long, Long> waits) {
        Map<Double, Long> counts = new TreeMap<>();
        for (ClassicHistogramBucket bucket : collected(waits).getClassicBuckets()) {
            if (bucket.getCount() > 0) {
                counts.put(bucket.getUpperBound(), bucket.getCount());
            }
        }
        return counts;
    }

    @Test
    void aWaitStandsUnderTheFirstBoundThatItKeeps() {
        assertEquals(
                Map.of(0.0001, 4L, 0.005, 3L, 0.01, 1L),
                counts(Map.of(0L, 1L, 99L, 3L, 2_500L, 2L, 4_999L, 1L, 5_119L, 1L)));
    }

    @Test
    void aWaitThatMayHaveBeenLongerThanABoundIsNotUnderIt() {
        assertEquals(Map.of(0.00025, 1L), counts(Map.of(100L, 1L)));
    }

    @Test
    void theLongestWaitsStandUnderNoBound() {
        assertEquals(Map.of(Double.POSITIVE_INFINITY, 2L), counts(Map.of(5_000_000L, 1L, Long.MAX_VALUE / 2, 1L)));
    }

    @Test
    void allWaitsAreCountedAndTheirTimeIsToldAsItWasSummedUp() {
        HistogramDataPointSnapshot collected = collected(Map.of(1L, 40L, 70_000L, 2L));
        assertEquals(42, collected.getCount());
        assertEquals(7.5, collected.getSum());
    }
}
