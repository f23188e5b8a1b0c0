package io.multimed.bench.series;

import io.multimed.bench.measure.Inside;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The observations of one engine, look by look. Any thread. */
final class Looks {
    private static final double TAIL = 0.99;

    private final Map<String, Integer> sessions = new HashMap<>();
    private final List<Double> lags = new ArrayList<>();
    private int looks;

    /**
     * @param now sessions at work, by their waits
     */
    synchronized void sessions(Map<String, Integer> now) {
        looks++;
        now.forEach((what, count) -> sessions.merge(what, count, Integer::sum));
    }

    synchronized void lag(double millis) {
        lags.add(millis);
    }

    synchronized Inside.Engine of(long memoryDiskBytes) {
        Map<String, Double> mean = new HashMap<>();
        sessions.forEach((what, count) -> mean.put(what, count / (double) looks));
        List<Double> sorted = lags.stream().sorted().toList();
        return new Inside.Engine(
                looks,
                mean,
                sorted.isEmpty() ? 0 : sorted.get((int) Math.ceil(TAIL * sorted.size()) - 1),
                sorted.isEmpty() ? 0 : sorted.getLast(),
                memoryDiskBytes);
    }
}
