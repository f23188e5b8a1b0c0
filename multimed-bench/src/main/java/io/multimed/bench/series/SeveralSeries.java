package io.multimed.bench.series;

import io.multimed.bench.BenchException;
import io.multimed.bench.Console;
import io.multimed.bench.report.Run;
import io.multimed.bench.report.Sweep;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Runs one series after the other, such as those of several populations, and shows their common curves. Used by one thread. */
public final class SeveralSeries {
    private final List<? extends PostgresSeries<?>> all;
    private final Console console;

    public SeveralSeries(List<? extends PostgresSeries<?>> all, Console console) {
        this.all = List.copyOf(all);
        this.console = console;
    }

    /**
     * Runs all series; an interrupt of the calling thread ends them early.
     *
     * @throws BenchException if one cannot be run here, thrown before the first one is begun if possible
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
