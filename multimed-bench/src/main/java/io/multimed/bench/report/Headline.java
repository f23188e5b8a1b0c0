package io.multimed.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The comparison that a reader looks for first: Multimed beside each other system, a row for each load. */
final class Headline {
    private static final Pattern MIXES = Pattern.compile("tpcw (browsing|shopping|ordering).*|tpcw only .*|tpcc .*");
    private static final Pattern INTERACTION = Pattern.compile("tpcw load interaction");
    private static final String MULTIMED = "multimed";
    private static final String REPLICAS = "multimed-";

    private final List<Run> runs;
    private final Places places;

    Headline(List<Run> runs, Places places) {
        this.runs = runs;
        this.places = places;
    }

    /**
     * Valid runs of several benchmarks at the same place.
     *
     * @param embedded whether replicas are compared with the engine alone; otherwise Multimed with all other systems
     * @param benchmarks by name, each with its systems in the order in which they are shown
     */
    record Comparison(String title, boolean embedded, Map<String, Map<String, List<Run>>> benchmarks) {
        Run some() {
            return benchmarks
                    .values()
                    .iterator()
                    .next()
                    .values()
                    .iterator()
                    .next()
                    .getFirst();
        }

        /** Returns a system's name for readers. */
        String name(String system) {
            if (!embedded) {
                return system;
            }
            return system.startsWith(REPLICAS)
                    ? engines(system.replaceFirst(".*-", "")) + ", replicated"
                    : system + " alone";
        }

        /** Explains {@link #ratio}. */
        String ratios() {
            return embedded
                    ? "\u00d7: as a multiple of the engine's alone"
                    : "\u00d7: Multimed's, as a multiple of that system's";
        }

        /** Returns the ratio that stands beside a system; empty beside the one that all ratios are about. */
        String ratio(Map<String, List<Run>> systems, String system) {
            String base = embedded ? systems.keySet().iterator().next() : MULTIMED;
            if (system.equals(base)) {
                return "";
            }
            List<Run> own = systems.getOrDefault(system, List.of());
            List<Run> other = systems.getOrDefault(base, List.of());
            double[] ratios = embedded ? Statistics.ratios(own, other) : Statistics.ratios(other, own);
            return ratios.length == 0 ? "" : TextTable.format("\u00d7 %.2f", Statistics.median(ratios));
        }
    }

    private static double shortReads(Run run) {
        return run.measured().shortReads().p99();
    }

    /**
     * Returns the places to draw: those of several benchmarks, and those that belong to no curve. Places that differ in their
     * number of processors alone are a curve in any case.
     */
    List<Comparison> comparisons() {
        List<List<Run>> curves = Sweep.groups(runs);
        Set<Run> onCurves = curves.stream().flatMap(List::stream).collect(Collectors.toSet());
        Set<Run> overProcessors = curves.stream()
                .filter(sweep -> Sweep.axis(sweep).equals(Axis.PROCESSORS))
                .flatMap(List::stream)
                .collect(Collectors.toSet());
        Map<String, List<List<Run>>> places = new LinkedHashMap<>();
        Stream.concat(compared(MIXES, MULTIMED).stream(), replicated().stream())
                .filter(point -> !overProcessors.contains(point.getFirst()))
                .forEach(point -> places.computeIfAbsent(place(point.getFirst()), any -> new ArrayList<>())
                        .add(point));
        return places.values().stream()
                .filter(points -> points.size() > 1
                        || !onCurves.contains(points.getFirst().getFirst()))
                .map(Headline::comparison)
                .filter(comparison -> !comparison.benchmarks().isEmpty())
                .toList();
    }

    /** Returns what the benchmarks of one chart have in common. */
    private static String place(Run run) {
        return title(run) + run.machine() + run.version();
    }

    private static String title(Run run) {
        return "Throughput, " + Places.words(run, Set.of()) + engine(run);
    }

    private static Comparison comparison(List<List<Run>> points) {
        Map<String, Map<String, List<Run>>> benchmarks = new LinkedHashMap<>();
        for (List<Run> point : points) {
            Map<String, List<Run>> systems = new LinkedHashMap<>();
            systems(point)
                    .forEach(system -> systems.put(
                            system,
                            Sweep.of(point, system).stream().filter(Run::valid).toList()));
            systems.values().removeIf(List::isEmpty);
            if (systems.size() > 1) {
                benchmarks.putIfAbsent(Places.plainTitle(point.getFirst()), systems);
            }
        }
        List<Run> first = points.getFirst();
        return new Comparison(title(first.getFirst()), !systems(first).contains(MULTIMED), benchmarks);
    }

    private static String engine(Run run) {
        String engine = run.parameters().getOrDefault("engine", "");
        return engine.isEmpty() || engine.equals("postgresql") ? "" : ", " + engine + " inside a JVM";
    }

    /**
     * Returns a table of all comparisons: a row for each system at each place, with its median and a ratio of pairs. That is
     * Multimed's gain over the system, or the replicas' over the engine alone. The first row names the columns.
     */
    List<List<String>> medians() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "machine",
                "benchmark",
                "place",
                "system",
                "runs",
                "median",
                "least",
                "most",
                "unit",
                "times",
                "bound"));
        compared(MIXES, MULTIMED).forEach(point -> medians(rows, point, MULTIMED, false));
        compared(INTERACTION, MULTIMED).forEach(point -> medians(rows, point, MULTIMED, true));
        replicated().forEach(point -> medians(rows, point, systems(point).getFirst(), false));
        return rows;
    }

    private void medians(List<List<String>> rows, List<Run> point, String base, boolean shortOnes) {
        Run some = point.getFirst();
        ToDoubleFunction<Run> value =
                shortOnes ? Headline::shortReads : run -> run.measured().perSecond();
        List<Run> measure = Sweep.of(point, base);
        for (String system : systems(point)) {
            List<Run> valid =
                    Sweep.of(point, system).stream().filter(Run::valid).toList();
            Spread spread = Spread.of(valid, value);
            // Latencies, and replicas' throughput, are divided the other way round.
            double[] ratios = system.equals(base)
                    ? new double[0]
                    : shortOnes || !base.equals(MULTIMED)
                            ? Statistics.ratios(valid, measure, value)
                            : Statistics.ratios(measure, valid, value);
            List<Run> all = Sweep.of(point, system);
            rows.add(List.of(
                    some.machine().processor() + ", " + some.machine().cores() + " cores",
                    Places.benchmark(some),
                    places.of(some),
                    system,
                    valid.size() + (valid.size() == all.size() ? "" : " of " + all.size()),
                    number(spread.median()),
                    number(spread.least()),
                    number(spread.most()),
                    shortOnes ? "ms, p99 of short interactions" : some.operations() + "/s",
                    ratios.length == 0 ? "" : TextTable.format("%.2f", Statistics.median(ratios)),
                    ratios.length < 2 ? "" : TextTable.format("%.2f", Statistics.bound(ratios))));
        }
    }

    private List<List<Run>> compared(Pattern benchmark, String system) {
        return Sweep.points(runs).stream()
                .filter(point -> benchmark.matcher(point.getFirst().benchmark()).matches())
                .filter(point ->
                        systems(point).size() > 1 && systems(point).stream().anyMatch(name -> name.startsWith(system)))
                .filter(point -> !system.equals(MULTIMED) || systems(point).contains(MULTIMED))
                .toList();
    }

    /** Returns the places of engines inside a JVM, alone and replicated. */
    private List<List<Run>> replicated() {
        return compared(MIXES, REPLICAS).stream()
                .filter(point -> !systems(point).contains(MULTIMED)
                        && !systems(point).getFirst().startsWith(REPLICAS))
                .toList();
    }

    private static String engines(String number) {
        return number + (number.equals("1") ? " engine" : " engines");
    }

    /**
     * Returns the names of the systems: first those that Multimed is compared with, whatever their places in the turns, then
     * Multimed's.
     */
    private static List<String> systems(List<Run> point) {
        List<String> systems = point.stream().map(Run::system).distinct().toList();
        return Stream.concat(
                        systems.stream().filter(system -> !system.startsWith(MULTIMED)),
                        systems.stream().filter(system -> system.startsWith(MULTIMED)))
                .toList();
    }

    private static String number(double value) {
        return TextTable.format(Math.abs(value) < 1 ? "%.2f" : Math.abs(value) < 100 ? "%.1f" : "%.0f", value);
    }
}
