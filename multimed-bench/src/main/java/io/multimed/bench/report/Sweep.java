package io.multimed.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Runs that differ in one number alone, such as that of clients: the curves of the papers' figures. */
public final class Sweep {
    /** Parameters that may differ between runs that are shown together. */
    private static final Set<String> INCIDENTAL =
            Set.of("database bytes", "runs", "seed", "seed of clients", Run.COMMAND);

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
        return List.copyOf(Runs.by(runs, run -> conditions(run, without)).values());
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
    static SortedMap<Integer, List<Run>> values(List<Run> sweep, Axis axis) {
        List<Run> placed = Runs.valid(sweep).stream()
                .filter(run -> run.parameters().containsKey(axis.name()))
                .toList();
        return new TreeMap<>(Runs.by(
                placed, run -> Integer.valueOf(run.parameters().getOrDefault(axis.name(), ""))));
    }

    /** Returns a row for each number: medians of every system, and its ratio to the first one's in the same pairs. */
    public static String text(List<Run> sweep) {
        Axis axis = axis(sweep);
        Axis.Measure drawn = axis.drawn();
        List<Axis.Measure> rest = axis.columns().subList(1, axis.columns().size());
        List<String> systems = List.copyOf(Runs.bySystem(sweep).keySet());
        boolean several = systems.size() > 1;
        ReportTable.Builder table = new ReportTable.Builder(Stream.concat(
                Stream.of(axis.name()),
                systems.stream()
                        .flatMap(system -> Stream.of(
                                        Stream.of((system + " " + drawn.head()).strip()),
                                        several ? Stream.of("ratio", "(95%)") : Stream.<String>empty(),
                                        rest.stream().map(Axis.Measure::head))
                                .flatMap(cells -> cells))));
        values(sweep, axis).forEach((value, runs) -> {
            List<String> row = new ArrayList<>(List.of(Integer.toString(value)));
            List<Run> first = Runs.of(runs, systems.getFirst());
            for (String system : systems) {
                List<Run> own = Runs.of(runs, system);
                row.add(drawn.median(own));
                if (several) {
                    double[] ratios = drawn.less()
                            ? Statistics.ratios(first, own, drawn.value())
                            : Statistics.ratios(own, first, drawn.value());
                    row.add(ReportTable.format("%.2f", Statistics.median(ratios)));
                    row.add(ReportTable.format("(%.2f)", Statistics.bound(ratios)));
                }
                rest.forEach(column -> row.add(column.median(own)));
            }
            table.row(row.stream());
        });
        Run some = sweep.getFirst();
        return Places.benchmark(some) + ", " + unit(axis, some) + " " + axis.by()
                + " (medians"
                + (several
                        ? "; ratio: paired, " + (drawn.less() ? "how many times less than " : "against ")
                                + systems.getFirst() + "; in parentheses, where there are several pairs, the "
                                + Statistics.BOUND
                        : "")
                + "; " + axis.told() + ")\n"
                + table.table().text();
    }

    /** Returns the unit of the drawn values, for readers. */
    static String unit(Axis axis, Run some) {
        return axis.drawn().unit().isEmpty()
                ? some.operations() + "/s"
                : axis.drawn().head() + " in " + axis.drawn().unit();
    }
}
