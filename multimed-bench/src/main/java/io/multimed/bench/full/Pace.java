package io.multimed.bench.full;

import io.multimed.bench.series.Warmup;
import java.util.List;

/**
 * How long runs are, and how many.
 *
 * @param headline repetitions of what is compared first of all
 * @param others repetitions of the other experiments
 * @param headlineWarmup of the former
 * @param warmup of the latter
 * @param seconds that count
 */
record Pace(int headline, int others, Warmup headlineWarmup, Warmup warmup, int seconds) {
    /**
     * A JVM compiles for so long on few processors, and an engine writes whole pages into its log for so long after the
     * checkpoint that a run begins with. For all of that time throughput rises by less than it varies.
     */
    private static final Warmup STEADY = Warmup.of(45);

    /** What has stopped rising before does not wait. */
    private static final Warmup SHORT = new Warmup(10, 25);

    private static final Warmup LONG = new Warmup(15, 45);

    /** From the least that means something to the most that is worth its time. */
    static final List<Pace> ALL = List.of(
            new Pace(1, 1, STEADY, SHORT, 15),
            new Pace(2, 1, STEADY, SHORT, 15),
            new Pace(3, 1, STEADY, SHORT, 15),
            new Pace(3, 1, STEADY, SHORT, 20),
            new Pace(3, 3, STEADY, SHORT, 20),
            new Pace(5, 3, STEADY, SHORT, 20),
            new Pace(5, 5, STEADY, SHORT, 20),
            new Pace(5, 5, STEADY, LONG, 30),
            new Pace(5, 5, STEADY, LONG, 60));

    int runs(boolean ofHeadline) {
        return ofHeadline ? headline : others;
    }

    Warmup warmup(boolean ofHeadline) {
        return ofHeadline ? headlineWarmup : warmup;
    }

    /** Of a run, without what comes before its clients and after them; some stop rising early, others late. */
    int clientsSeconds(boolean ofHeadline) {
        Warmup chosen = warmup(ofHeadline);
        return (chosen.least() + chosen.most()) / 2 + seconds;
    }

    /** As options of a single benchmark. */
    String options(boolean ofHeadline) {
        return " --runs " + runs(ofHeadline) + " --warmup " + warmup(ofHeadline).option() + " --time " + seconds;
    }

    String text() {
        return headline + " x the headline's runs, " + others + " x the others', each of " + seconds
                + " s after a warm-up of " + headlineWarmup.span() + " s, the others' of " + warmup.span() + " s";
    }
}
