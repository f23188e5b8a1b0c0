package io.multimed.bench.full;

import io.multimed.bench.series.Warmup;
import java.time.Duration;

/**
 * How long each run is. The same for all of them, so that every one can be compared with every other, and chosen by the time
 * given alone, so that the same command goes on with what an earlier call has left.
 *
 * @param seconds that count
 */
record Pace(Warmup warmup, int seconds) {
    /** From here on longer runs are worth more than further repetitions. */
    private static final Duration LONG = Duration.ofHours(4);

    /** From here on there is time for what has a target, each run after a warm-up in which its code is compiled. */
    private static final Duration ENOUGH = Duration.ofHours(1);

    /** Before that, on two processors, the compiler leaves Multimed so little of them that it is far from its speed. */
    private static final int USABLE = 15;

    /** Until then, where other machines take a part of two processors, it needs half as long again for an interaction. */
    private static final int COMPILED = 25;

    /**
     * Until then, on two processors, there is something left to compile, and an engine writes whole pages into its log after the
     * checkpoint that a run begins with. Throughput rises by less than it varies.
     */
    private static final int STEADY = 45;

    static Pace of(Duration within) {
        if (within.compareTo(LONG) >= 0) {
            return new Pace(Warmup.of(STEADY), 20);
        }
        return new Pace(Warmup.of(within.compareTo(ENOUGH) < 0 ? USABLE : COMPILED), 10);
    }

    /** Returns the time of a run's clients, without the work before and after them. */
    int clientsSeconds() {
        return warmup.most() + seconds;
    }

    /** As options of a single benchmark. */
    String options(int repetitions) {
        return " --runs " + repetitions + " --warmup " + warmup.option() + " --time " + seconds;
    }

    String text() {
        return "runs of " + seconds + " s after a warm-up of " + warmup.span() + " s";
    }
}
