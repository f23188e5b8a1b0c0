package io.multimed.bench.report;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToDoubleFunction;

/** Of a few repetitions. */
public final class Statistics {
    private static final int RESAMPLES = 2_000;
    private static final double LOWER = 0.05;

    private Statistics() {}

    /** NaN of nothing. */
    public static double median(double... values) {
        if (values.length == 0) {
            return Double.NaN;
        }
        double[] sorted = values.clone();
        java.util.Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** Of throughputs, pair by pair: of valid runs with the same number. */
    public static double[] ratios(List<Run> runs, List<Run> against) {
        return ratios(runs, against, run -> run.measured().perSecond());
    }

    /** Pair by pair: of valid runs with the same number. */
    static double[] ratios(List<Run> runs, List<Run> against, ToDoubleFunction<Run> value) {
        Map<Integer, Deque<Run>> partners = new HashMap<>();
        against.stream()
                .filter(Run::valid)
                .forEach(other -> partners.computeIfAbsent(other.number(), any -> new ArrayDeque<>())
                        .add(other));
        // Of a command that was given twice there are two of a number, each with a partner of its own.
        return runs.stream()
                .filter(run -> run.valid()
                        && !partners.getOrDefault(run.number(), new ArrayDeque<>())
                                .isEmpty())
                .mapToDouble(run -> value.applyAsDouble(run)
                        / value.applyAsDouble(partners.getOrDefault(run.number(), new ArrayDeque<>())
                                .removeFirst()))
                .toArray();
    }

    /** The lower 95 % bound of the median; NaN of a single pair, which bounds nothing. */
    static double bound(double[] ratios) {
        return ratios.length < 2 ? Double.NaN : lowerBound(ratios);
    }

    /** The lower 95 % bound of the median (bootstrap); with few repetitions close to the least of them. */
    public static double lowerBound(double... values) {
        if (values.length == 0) {
            return Double.NaN;
        }
        Random random = new Random(1);
        double[] medians = new double[RESAMPLES];
        for (int i = 0; i < RESAMPLES; i++) {
            double[] drawn = new double[values.length];
            for (int j = 0; j < drawn.length; j++) {
                drawn[j] = values[random.nextInt(values.length)];
            }
            medians[i] = median(drawn);
        }
        java.util.Arrays.sort(medians);
        return medians[(int) (RESAMPLES * LOWER)];
    }
}
