package io.multimed.bench.full;

import io.multimed.bench.BenchException;
import io.multimed.bench.series.Ending;

/**
 * One of the experiments of a full run.
 *
 * @param command the one that runs it alone, but for what the pace chooses
 * @param headline whether it is repeated more often than the others
 * @param runs of one repetition
 * @param loading seconds before the first run: databases are made, systems tried
 * @param beside seconds of a run beside its clients' work: copies, starts, checks
 */
record Experiment(String command, boolean headline, int runs, int loading, int beside, Body body) {
    /** Runs it. */
    interface Body {
        Ending run(Pace pace) throws BenchException;
    }

    /** What a reader can paste to have it alone, as it is run here. */
    String line(Pace pace) {
        return "./multimed " + command + pace.options(headline);
    }

    /** About. */
    int seconds(Pace pace) {
        return loading + pace.runs(headline) * runs * (pace.clientsSeconds(headline) + beside);
    }
}
