package io.multimed.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Runs that differ in one number alone, such as that of clients: the curves of the papers' figures. */
public final class Sweep {
    /** What runs may differ in, and what follows from it. */
    private static final Map<String, Set<String>> AXES =
            Map.of("clients", Set.of("clients"), "processors", Set.of("processors", "cores"));

    /** What may differ between runs that are shown together. */
    private static final Set<String> INCIDENTAL = Set.of("database bytes", "runs", "seed", "seed of clients");

    private Sweep() {}

    /** Runs under the same conditions, as they came. */
    public static List<List<Run>> points(List<Run> runs) {
        return grouped(runs, Set.of());
    }

    /** Runs that differ along one axis. */
    public static List<List<Run>> groups(List<Run> runs) {
        List<List<Run>> groups = new ArrayList<>();
        AXES.forEach((axis, bound) -> grouped(runs, bound).stream()
                .filter(group -> values(group, axis).size() > 1)
                .forEach(groups::add));
        return groups;
    }

    private static List<List<Run>> grouped(List<Run> runs, Set<String> without) {
        Map<String, List<Run>> groups = new LinkedHashMap<>();
        for (Run run : runs) {
            Map<String, String> parameters = new LinkedHashMap<>(run.parameters());
            parameters.keySet().removeAll(INCIDENTAL);
            parameters.keySet().removeAll(without);
            groups.computeIfAbsent(run.benchmark() + run.machine() + parameters, any -> new ArrayList<>())
                    .add(run);
        }
        return List.copyOf(groups.values());
    }

    /** What the runs of a sweep differ in. */
    static String axis(List<Run> sweep) {
        return values(sweep, "clients").size() > 1 ? "clients" : "processors";
    }

    /** Valid runs by their place on the axis. */
    static Map<Integer, List<Run>> values(List<Run> sweep, String axis) {
        Map<Integer, List<Run>> values = new TreeMap<>();
        for (Run run : sweep) {
            String value = run.parameters().get(axis);
            if (value != null && run.valid()) {
                values.computeIfAbsent(Integer.valueOf(value), any -> new ArrayList<>())
                        .add(run);
            }
        }
        return values;
    }

    /** A row for each number: median throughput of every system, and its ratio to the first one's in the same pairs. */
    public static String text(List<Run> sweep) {
        String axis = axis(sweep);
        List<String> systems = sweep.stream().map(Run::system).distinct().toList();
        List<String[]> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of(axis));
        systems.forEach(system -> head.addAll(List.of(system, "ratio", "p99")));
        rows.add(head.toArray(String[]::new));
        values(sweep, axis).forEach((value, runs) -> {
            List<String> row = new ArrayList<>(List.of(Integer.toString(value)));
            List<Run> first = of(runs, systems.getFirst());
            for (String system : systems) {
                List<Run> own = of(runs, system);
                row.add(TextTable.format(
                        "%.1f", TextTable.medianOf(own, run -> run.measured().perSecond())));
                row.add(TextTable.format("%.2f", Statistics.median(Statistics.ratios(own, first))));
                row.add(TextTable.format(
                        "%.1f",
                        TextTable.medianOf(own, run -> run.measured().all().p99())));
            }
            rows.add(row.toArray(String[]::new));
        });
        Run some = sweep.getFirst();
        return some.benchmark() + ", " + some.operations() + "/s by number of " + axis
                + " (medians; ratio: paired, against " + systems.getFirst() + "; p99 in ms)\n"
                + TextTable.aligned(rows);
    }

    static List<Run> of(List<Run> runs, String system) {
        return runs.stream().filter(run -> run.system().equals(system)).toList();
    }
}
