package io.multimed.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Runs that differ in one number alone, such as that of clients: the curves of the papers' figures. */
public final class Sweep {
    /** Parameters that may differ between runs that are shown together. */
    private static final Set<String> INCIDENTAL = Set.of("database bytes", "runs", "seed", "seed of clients");

    private Sweep() {}

    /** Returns groups of runs under the same conditions, in their order. */
    public static List<List<Run>> points(List<Run> runs) {
        return grouped(runs, Set.of());
    }

    /** Returns groups of runs that differ along one axis. */
    public static List<List<Run>> groups(List<Run> runs) {
        List<List<Run>> groups = new ArrayList<>();
        Axis.ALL.forEach(axis -> grouped(runs.stream().filter(axis::may).toList(), axis.bound()).stream()
                .filter(group -> values(group, axis).size() > 1)
                .forEach(groups::add));
        return groups;
    }

    /** Whether the parameters are the same, except for those that may differ between runs that are shown together. */
    public static boolean alike(Map<String, String> one, Map<String, String> other) {
        return essential(one).equals(essential(other));
    }

    private static Map<String, String> essential(Map<String, String> parameters) {
        Map<String, String> essential = new LinkedHashMap<>(parameters);
        essential.keySet().removeAll(INCIDENTAL);
        return essential;
    }

    private static List<List<Run>> grouped(List<Run> runs, Set<String> without) {
        Map<String, List<Run>> groups = new LinkedHashMap<>();
        for (Run run : runs) {
            groups.computeIfAbsent(conditions(run, without), any -> new ArrayList<>())
                    .add(run);
        }
        return List.copyOf(groups.values());
    }

    /** Returns the common parameters of runs that are shown together. */
    static String conditions(Run run) {
        return conditions(run, Set.of());
    }

    private static String conditions(Run run, Set<String> without) {
        Map<String, String> parameters = essential(run.parameters());
        parameters.keySet().removeAll(without);
        return run.benchmark() + run.machine() + run.version() + parameters;
    }

    /** Returns the parameter in which the runs of a sweep differ. */
    static Axis axis(List<Run> sweep) {
        return Axis.ALL.stream()
                .filter(axis -> values(sweep, axis).size() > 1)
                .findFirst()
                .orElse(Axis.ALL.getFirst());
    }

    /** Returns valid runs by their place on the axis. */
    static Map<Integer, List<Run>> values(List<Run> sweep, Axis axis) {
        Map<Integer, List<Run>> values = new TreeMap<>();
        for (Run run : sweep) {
            String value = run.parameters().get(axis.name());
            if (value != null && run.valid()) {
                values.computeIfAbsent(Integer.valueOf(value), any -> new ArrayList<>())
                        .add(run);
            }
        }
        return values;
    }

    /** Returns a row for each number: medians of every system, and its ratio to the first one's in the same pairs. */
    public static String text(List<Run> sweep) {
        Axis axis = axis(sweep);
        List<String> systems = sweep.stream().map(Run::system).distinct().toList();
        List<String[]> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of(axis.name()));
        for (String system : systems) {
            head.add((system + " " + axis.drawn().head()).strip());
            if (systems.size() > 1) {
                head.addAll(List.of("ratio", "(95%)"));
            }
            rest(axis).forEach(column -> head.add(column.head()));
        }
        rows.add(head.toArray(String[]::new));
        values(sweep, axis).forEach((value, runs) -> {
            List<String> row = new ArrayList<>(List.of(Integer.toString(value)));
            List<Run> first = of(runs, systems.getFirst());
            for (String system : systems) {
                List<Run> own = of(runs, system);
                row.add(median(own, axis.drawn()));
                double[] ratios = axis.drawn().less()
                        ? Statistics.ratios(first, own, axis.drawn().value())
                        : Statistics.ratios(own, first, axis.drawn().value());
                if (systems.size() > 1) {
                    row.add(TextTable.format("%.2f", Statistics.median(ratios)));
                    row.add(TextTable.format("(%.2f)", Statistics.bound(ratios)));
                }
                rest(axis).forEach(column -> row.add(median(own, column)));
            }
            rows.add(row.toArray(String[]::new));
        });
        Run some = sweep.getFirst();
        return Places.benchmark(some) + ", " + unit(axis, some) + " " + axis.by()
                + " (medians"
                + (systems.size() > 1
                        ? "; ratio: paired, " + (axis.drawn().less() ? "how many times less than " : "against ")
                                + systems.getFirst() + "; in parentheses, where there are several pairs, the "
                                + Statistics.BOUND
                        : "")
                + (axis.told().isEmpty() ? "" : "; " + axis.told()) + ")\n"
                + TextTable.aligned(rows);
    }

    private static List<Axis.Column> rest(Axis axis) {
        return axis.columns().subList(1, axis.columns().size());
    }

    private static String median(List<Run> runs, Axis.Column column) {
        double median = TextTable.medianOf(runs, column.value());
        return TextTable.format(Math.abs(median) < 1 ? "%.3f" : "%.1f", median);
    }

    /** Returns the unit of the drawn values, for readers. */
    static String unit(Axis axis, Run some) {
        return axis.drawn().unit().isEmpty()
                ? some.operations() + "/s"
                : axis.drawn().head() + " in " + axis.drawn().unit();
    }

    static List<Run> of(List<Run> runs, String system) {
        return runs.stream().filter(run -> run.system().equals(system)).toList();
    }
}
