package io.multimed.bench.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Numbers in charts: as text, and the round ones of an axis. */
final class ChartNumbers {
    private static final int MOST_STEPS = 6;
    private static final double[] ROUND = {1, 2, 2.5, 5, 10};

    private ChartNumbers() {}

    static String text(double value) {
        double size = Math.abs(value);
        return String.format(Locale.ROOT, size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : "%.2f", value);
    }

    /** Returns round numbers at equal distances from 0 to the first one that is not below {@code most}, two at least. */
    static List<Double> scale(double most) {
        double step = step(most);
        List<Double> numbers = new ArrayList<>();
        for (int i = 0; i < 2 || numbers.getLast() < most; i++) {
            numbers.add(i * step);
        }
        return numbers;
    }

    private static double step(double most) {
        if (!(most > 0)) {
            return 1;
        }
        double power = Math.pow(10, Math.floor(Math.log10(most / MOST_STEPS)));
        for (double round : ROUND) {
            if (round * power * MOST_STEPS >= most) {
                return round * power;
            }
        }
        return 10 * power;
    }

    /** Returns a number of an axis, with no more digits than the distance between two of them has. */
    static String onAxis(double value, double step) {
        return String.format(
                Locale.ROOT, step >= 1 && step == Math.rint(step) ? "%,.0f" : step >= 0.1 ? "%.1f" : "%.3f", value);
    }
}
