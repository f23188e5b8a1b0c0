package io.multimed.bench.series;

import io.multimed.bench.BenchException;
import io.multimed.bench.Console;
import io.multimed.bench.report.Run;
import io.multimed.bench.report.Sweep;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** One series after the other, such as those of several populations, and what they show together. Used by one thread. */
public final class SeveralSeries {
    private final List<? extends PostgresSeries<?>> all;
    private final Console console;

    public SeveralSeries(List<? extends PostgresSeries<?>> all, Console console) {
        this.all = List.copyOf(all);
        this.console = console;
    }

    /**
     * Runs them; an interrupt of the calling thread ends them early.
     *
     * @throws BenchException if one cannot be run here, told before the first one is begun where it can be known
     */
    public Ending run() throws BenchException {
        for (PostgresSeries<?> series : all) {
            series.preflight();
        }
        List<Run> runs = new ArrayList<>();
        Ending ending = Ending.DONE;
        for (PostgresSeries<?> series : all) {
            if (ending != Ending.INTERRUPTED) {
                ending = Collections.max(List.of(ending, series.run()));
                runs.addAll(series.runs());
            }
        }
        for (List<Run> sweep : Sweep.groups(runs)) {
            console.result(Sweep.text(sweep) + "\n");
        }
        return ending;
    }
}
