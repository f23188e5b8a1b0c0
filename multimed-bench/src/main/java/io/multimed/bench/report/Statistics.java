package io.multimed.bench.report;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.ToDoubleFunction;

/** Statistics of a few repetitions. */
public final class Statistics {
    private static final int RESAMPLES = 2_000;
    private static final double LOWER = 0.05;
    /** Fewest values that bound a median with 95 %. */
    static final int FEWEST = 5;

    /** Explanation of the number in parentheses, for readers. */
    static final String BOUND =
            "lower 95 % bound of the median (of fewer than five pairs their least, which bounds it less surely)";

    private Statistics() {}

    /** Returns the median; NaN without values. */
    public static double median(double... values) {
        if (values.length == 0) {
            return Double.NaN;
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** Median and range over the repetitions of a run; NaN where there are none. */
    record Spread(double median, double least, double most) {}

    static Spread spread(List<Run> runs, ToDoubleFunction<Run> value) {
        double[] values = runs.stream().mapToDouble(value).toArray();
        return new Spread(
                median(values),
                Arrays.stream(values).min().orElse(Double.NaN),
                Arrays.stream(values).max().orElse(Double.NaN));
    }

    /** Returns ratios of throughputs, pair by pair, between valid runs with the same number. */
    public static double[] ratios(List<Run> runs, List<Run> against) {
        return ratios(runs, against, Run::perSecond);
    }

    /**
     * Returns ratios pair by pair, between valid runs with the same number. A command that was run twice yields two runs of a
     * number. Each has a partner of its own, the one that was run soonest before or after it.
     */
    static double[] ratios(List<Run> runs, List<Run> against, ToDoubleFunction<Run> value) {
        List<Run> partners = new ArrayList<>(against.stream().filter(Run::valid).toList());
        List<Double> ratios = new ArrayList<>();
        for (Run run : runs) {
            Optional<Run> partner = partners.stream()
                    .filter(other -> run.valid() && other.number() == run.number())
                    .min(Comparator.comparing(
                            other -> Duration.between(begun(run), begun(other)).abs()));
            partner.ifPresent(other -> {
                partners.remove(other);
                ratios.add(value.applyAsDouble(run) / value.applyAsDouble(other));
            });
        }
        return ratios.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static Instant begun(Run run) {
        return Instant.parse(run.started());
    }

    /** Returns the lower 95 % bound of the median; NaN for a single pair, which bounds nothing. */
    static double bound(double[] ratios) {
        return ratios.length < 2 ? Double.NaN : lowerBound(ratios);
    }

    /**
     * Returns the lower 95 % bound of the median (bootstrap). Fewer than five values have none: all of 2, 3 or 4 lie above the
     * median once in 4, 8 or 16 times. For them it returns the least value.
     */
    public static double lowerBound(double... values) {
        if (values.length < FEWEST) {
            return Arrays.stream(values).min().orElse(Double.NaN);
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
        Arrays.sort(medians);
        return medians[(int) (RESAMPLES * LOWER)];
    }
}
