package io.multimed.bench.full;

import io.multimed.bench.BenchException;
import io.multimed.bench.report.Run;
import io.multimed.bench.series.Series;
import java.util.List;

/**
 * One of the experiments of a full run.
 *
 * @param command the one that runs it alone, without the options that the pace and the plan choose
 */
public record Experiment(String command, Rank rank, Making making) {
    /**
     * Seconds before the first run, in which the database is made, and seconds of a run beside its clients' work. Both are estimates,
     * which later plans correct by the time that experiments have taken.
     */
    private static final int LOADING_SECONDS = 20;

    private static final int BESIDE_SECONDS = 5;

    /** Makes the experiment's series, which does not repeat runs that exist already. */
    public interface Making {
        Series of(Pace pace, int repetitions, List<Run> there) throws BenchException;
    }

    /** Returns the command line that runs this experiment alone, as it is run here. */
    String line(Pace pace, int repetitions) {
        return "./multimed " + command + pace.options(repetitions);
    }

    /** Returns the approximate duration of so many runs. */
    int seconds(Pace pace, int runs) {
        return runs == 0 ? 0 : LOADING_SECONDS + runs * (pace.clientsSeconds() + BESIDE_SECONDS);
    }
}
