package io.multimed.bench.series;

import io.multimed.bench.BenchException;
import io.multimed.bench.Console;
import io.multimed.bench.report.Run;
import io.multimed.bench.report.Sweep;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Runs one series after the other, such as those of several populations, and shows their common curves. Used by one thread. */
public final class SeveralSeries implements Series {
    private final List<? extends Series> all;
    private final Console console;

    private SeveralSeries(List<? extends Series> all, Console console) {
        this.all = List.copyOf(all);
        this.console = console;
    }

    /** Returns one series of all; a single one shows its own curves. */
    public static Series of(List<? extends Series> all, Console console) {
        return all.size() == 1 ? all.getFirst() : new SeveralSeries(all, console);
    }

    @Override
    public void preflight() throws BenchException {
        for (Series series : all) {
            series.preflight();
        }
    }

    @Override
    public List<Integer> left() throws BenchException, InterruptedException {
        List<Integer> left = new ArrayList<>(all.getFirst().left());
        for (Series series : all.subList(1, all.size())) {
            List<Integer> more = series.left();
            for (int i = 0; i < left.size(); i++) {
                left.set(i, left.get(i) + more.get(i));
            }
        }
        return left;
    }

    /**
     * Runs all series.
     *
     * @throws BenchException if one cannot be run here, thrown before the first one is begun if possible
     */
    @Override
    public Ending run() throws BenchException {
        preflight();
        Ending ending = Ending.DONE;
        for (Series series : all) {
            if (ending != Ending.INTERRUPTED) {
                ending = Collections.max(List.of(ending, series.run()));
            }
        }
        for (List<Run> sweep : Sweep.groups(runs())) {
            console.result(Sweep.text(sweep) + "\n");
        }
        return ending;
    }

    @Override
    public List<Run> runs() {
        return all.stream().flatMap(series -> series.runs().stream()).toList();
    }
}
