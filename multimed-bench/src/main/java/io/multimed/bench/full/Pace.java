package io.multimed.bench.full;

import io.multimed.bench.series.Warmup;
import java.time.Duration;

/**
 * The duration of each run. It is the same for all of them, so that every one can be compared with every other. It depends only
 * on the given time, so that the same command continues the work of an earlier call.
 *
 * @param seconds that count
 */
public record Pace(Warmup warmup, int seconds) {
    /** Given time from which on longer runs are worth more than further repetitions. */
    private static final Duration LONG = Duration.ofHours(4);

    /**
     * Given time from which on there is time for the comparisons, each run after a warm-up in which its code is
     * compiled.
     */
    private static final Duration ENOUGH = Duration.ofHours(1);

    /**
     * Seconds of warm-up before which, on two processors, the compiler takes so much of them that Multimed is far from its
     * speed.
     */
    private static final int USABLE = 15;

    /**
     * Seconds of warm-up before which, where other machines take a part of two processors, an interaction takes half as long
     * again.
     */
    private static final int COMPILED = 25;

    /**
     * Seconds of warm-up before which, on two processors, there is something left to compile, and an engine writes whole pages
     * into its log after the checkpoint that a run begins with. Throughput then rises by less than it varies.
     */
    private static final int STEADY = 45;

    public static Pace of(Duration within) {
        if (within.compareTo(LONG) >= 0) {
            return new Pace(Warmup.of(STEADY), 20);
        }
        return new Pace(Warmup.of(within.compareTo(ENOUGH) < 0 ? USABLE : COMPILED), 10);
    }

    /** Returns the time of a run's clients, without the work before and after them. */
    int clientsSeconds() {
        return warmup.most() + seconds;
    }

    /** Returns the pace as options of a single benchmark. */
    public String options(int repetitions) {
        return " --runs " + repetitions + " --warmup " + warmup.option() + " --time " + seconds;
    }

    String text() {
        return "runs of " + seconds + " s after a warm-up of " + warmup.span() + " s";
    }
}
