package io.multimed.bench.projection;

import io.multimed.bench.measure.Measured;
import io.multimed.bench.report.Run;
import io.multimed.bench.report.Statistics;
import io.multimed.bench.report.Sweep;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Valid runs of one benchmark over numbers of cores, by system and number.
 *
 * @param some any of them, for the parameters that they have in common
 */
record CoreRuns(Run some, Map<String, SortedMap<Integer, List<Measured>>> systems) {
    private static final String PROCESSORS = "processors";

    /** Returns the runs over numbers of cores among all runs; one object for each benchmark, number of clients and so on. */
    static List<CoreRuns> among(List<Run> runs) {
        List<CoreRuns> all = new ArrayList<>();
        for (List<Run> sweep : Sweep.groups(runs)) {
            Map<String, SortedMap<Integer, List<Measured>>> systems = new LinkedHashMap<>();
            sweep.stream()
                    .filter(run -> run.valid() && run.parameters().containsKey(PROCESSORS))
                    .forEach(run -> systems.computeIfAbsent(run.system(), any -> new TreeMap<>())
                            .computeIfAbsent(
                                    Integer.valueOf(run.parameters().getOrDefault(PROCESSORS, "0")),
                                    any -> new ArrayList<>())
                            .add(run.measured()));
            systems.values().removeIf(counts -> counts.size() < 2);
            if (!systems.isEmpty()) {
                all.add(new CoreRuns(sweep.getFirst(), systems));
            }
        }
        return all;
    }

    int machine() {
        return some.machine().cores();
    }

    int clients() {
        return Integer.parseInt(some.parameters().getOrDefault("clients", "1"));
    }

    static SortedMap<Integer, Double> medians(SortedMap<Integer, List<Measured>> counts) {
        SortedMap<Integer, Double> medians = new TreeMap<>();
        counts.forEach((cores, runs) -> medians.put(cores, median(runs)));
        return medians;
    }

    static double median(List<Measured> runs) {
        return Statistics.median(runs.stream().mapToDouble(Measured::perSecond).toArray());
    }

    /** Draws, with replacement, as many runs at each number as there are. */
    static SortedMap<Integer, List<Measured>> drawn(SortedMap<Integer, List<Measured>> counts, Random random) {
        SortedMap<Integer, List<Measured>> drawn = new TreeMap<>();
        counts.forEach((cores, runs) -> drawn.put(
                cores,
                random.ints(runs.size(), 0, runs.size()).mapToObj(runs::get).toList()));
        return drawn;
    }
}
