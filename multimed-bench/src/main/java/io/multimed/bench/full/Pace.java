package io.multimed.bench.full;

import io.multimed.bench.series.Warmup;
import java.util.List;

/**
 * How long runs are, and how many.
 *
 * @param headline repetitions of what is compared first of all
 * @param others repetitions of the other experiments
 * @param seconds that count
 */
record Pace(int headline, int others, Warmup warmup, int seconds) {
    /** A JVM needs as long as this on few processors; what has stopped rising before does not wait. */
    private static final Warmup SHORT = new Warmup(10, 25);

    private static final Warmup LONG = new Warmup(15, 45);

    /** From the least that means something to the most that is worth its time. */
    static final List<Pace> ALL = List.of(
            new Pace(1, 1, SHORT, 15),
            new Pace(2, 1, SHORT, 15),
            new Pace(3, 1, SHORT, 15),
            new Pace(3, 1, SHORT, 20),
            new Pace(3, 3, SHORT, 20),
            new Pace(5, 3, SHORT, 20),
            new Pace(5, 5, SHORT, 20),
            new Pace(5, 5, LONG, 30),
            new Pace(5, 5, LONG, 60));

    int runs(boolean ofHeadline) {
        return ofHeadline ? headline : others;
    }

    /** Of a run, without what comes before its clients and after them; some stop rising early, others late. */
    int clientsSeconds() {
        return (warmup.least() + warmup.most()) / 2 + seconds;
    }

    /** As options of a single benchmark. */
    String options(boolean ofHeadline) {
        return " --runs " + runs(ofHeadline) + " --warmup " + warmup.option() + " --time " + seconds;
    }

    String text() {
        return headline + " x the headline's runs, " + others + " x the others', each of " + seconds
                + " s after a warm-up of " + warmup.span() + " s";
    }
}
