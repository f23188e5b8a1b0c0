package io.multimed.bench.full;

import io.multimed.bench.BenchException;
import io.multimed.bench.report.Run;
import io.multimed.bench.series.Series;
import java.util.List;

/**
 * One of the experiments of a full run.
 *
 * @param command the one that runs it alone, without the options that the pace and the plan choose
 * @param loading seconds before the first run: databases are made, systems tried
 * @param beside seconds of a run beside its clients' work: copies, starts, checks
 */
public record Experiment(String command, Rank rank, int loading, int beside, Making making) {
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
        return runs == 0 ? 0 : loading + runs * (pace.clientsSeconds() + beside);
    }
}
