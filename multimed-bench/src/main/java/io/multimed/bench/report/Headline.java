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

/**
 * The comparison that a reader looks for first: Multimed beside each other system, or replicas beside the engine alone, a row
 * for each load.
 */
record Headline(List<Run> runs, Places places) {
    private static final Pattern MIXES = Pattern.compile("tpcw (browsing|shopping|ordering).*|tpcw only .*|tpcc .*");
    private static final Set<String> BESIDE_HEAVY = Set.of("tpcw load interaction", "tpcw short beside best sellers");
    private static final String MULTIMED = "multimed";
    private static final String REPLICAS = "multimed-";

    /**
     * Valid runs of several benchmarks at the same place.
     *
     * @param embedded whether replicas are compared with the engine alone; otherwise Multimed with all other systems
     * @param benchmarks by name, each with its systems in the order in which they are shown
     */
    record Comparison(String title, boolean embedded, Map<String, Map<String, List<Run>>> benchmarks) {
        /** Returns the runs of each system at each benchmark. */
        List<List<Run>> all() {
            return benchmarks.values().stream()
                    .flatMap(systems -> systems.values().stream())
                    .toList();
        }

        Run some() {
            return all().getFirst().getFirst();
        }

        /** Returns a system's name for readers. */
        String name(String system) {
            if (!embedded) {
                return system;
            }
            String number = system.replaceFirst(".*-", "");
            return system.startsWith(REPLICAS)
                    ? number + (number.equals("1") ? " engine" : " engines") + ", replicated"
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
            List<Run> own = systems.getOrDefault(system, List.of());
            List<Run> other = systems.getOrDefault(base, List.of());
            double[] ratios = embedded ? Statistics.ratios(own, other) : Statistics.ratios(other, own);
            return system.equals(base) || ratios.length == 0
                    ? ""
                    : ReportTable.format("\u00d7 %.2f", Statistics.median(ratios));
        }
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
        Map<String, List<List<Run>>> charts = Stream.concat(besideMultimed(true), replicated())
                .filter(point -> !overProcessors.contains(point.getFirst()))
                .collect(Collectors.groupingBy(
                        point -> title(point.getFirst())
                                + point.getFirst().machine()
                                + point.getFirst().version(),
                        LinkedHashMap::new,
                        Collectors.toList()));
        return charts.values().stream()
                .filter(points -> points.size() > 1
                        || !onCurves.contains(points.getFirst().getFirst()))
                .map(Headline::comparison)
                .filter(comparison -> !comparison.benchmarks().isEmpty())
                .toList();
    }

    private static String title(Run run) {
        String engine = Places.engine(run);
        return "Throughput, " + Places.titled(run, Set.of()) + engine
                + (engine.equals(Places.server(run)) ? "" : " inside a JVM");
    }

    private static Comparison comparison(List<List<Run>> points) {
        Map<String, Map<String, List<Run>>> benchmarks = new LinkedHashMap<>();
        for (List<Run> point : points) {
            Map<String, List<Run>> systems = new LinkedHashMap<>();
            systems(point).forEach(system -> systems.put(system, Runs.valid(Runs.of(point, system))));
            systems.values().removeIf(List::isEmpty);
            if (systems.size() > 1) {
                benchmarks.putIfAbsent(Places.plainTitle(point.getFirst()), systems);
            }
        }
        List<Run> first = points.getFirst();
        return new Comparison(title(first.getFirst()), !systems(first).contains(MULTIMED), benchmarks);
    }

    /**
     * Returns a row for each system at each place, with its median and a ratio of pairs. That is Multimed's gain over the
     * system, or the replicas' over the engine alone.
     */
    ReportTable medians() {
        ReportTable.Builder table = new ReportTable.Builder(Stream.of(
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
        besideMultimed(true).forEach(point -> medians(table, point, MULTIMED));
        besideMultimed(false).forEach(point -> medians(table, point, MULTIMED));
        replicated().forEach(point -> medians(table, point, systems(point).getFirst()));
        return table.table();
    }

    private void medians(ReportTable.Builder table, List<Run> point, String base) {
        Run some = point.getFirst();
        boolean shortOnes = BESIDE_HEAVY.contains(some.benchmark());
        ToDoubleFunction<Run> value =
                shortOnes ? run -> run.measured().shortReads().p99() : Run::perSecond;
        List<Run> measure = Runs.of(point, base);
        for (String system : systems(point)) {
            List<Run> all = Runs.of(point, system);
            Statistics.Spread spread = Statistics.spread(Runs.valid(all), value);
            // Latencies, and replicas' throughput, are divided the other way round.
            double[] ratios = system.equals(base)
                    ? new double[0]
                    : shortOnes || !base.equals(MULTIMED)
                            ? Statistics.ratios(all, measure, value)
                            : Statistics.ratios(measure, all, value);
            table.row(Stream.of(
                    some.machine().name(),
                    Places.benchmark(some),
                    places.of(some),
                    system,
                    RunTables.counted(all),
                    number(spread.median()),
                    number(spread.least()),
                    number(spread.most()),
                    shortOnes ? "ms, p99 of short interactions" : some.operations() + "/s",
                    ratios.length == 0 ? "" : ReportTable.format("%.2f", Statistics.median(ratios)),
                    ratios.length < 2 ? "" : ReportTable.format("%.2f", Statistics.bound(ratios))));
        }
    }

    /** Returns places with Multimed and another system, of mixes or of short interactions beside heavy ones. */
    private Stream<List<Run>> besideMultimed(boolean mixes) {
        return points(mixes).filter(point -> systems(point).contains(MULTIMED));
    }

    /** Returns the places of engines inside a JVM, alone and replicated. */
    private Stream<List<Run>> replicated() {
        return points(true)
                .filter(point -> !systems(point).contains(MULTIMED)
                        && !systems(point).getFirst().startsWith(REPLICAS)
                        && systems(point).getLast().startsWith(REPLICAS));
    }

    private Stream<List<Run>> points(boolean mixes) {
        return Sweep.points(runs).stream().filter(point -> {
            String benchmark = point.getFirst().benchmark();
            return systems(point).size() > 1
                    && (mixes ? MIXES.matcher(benchmark).matches() : BESIDE_HEAVY.contains(benchmark));
        });
    }

    /**
     * Returns the names of the systems: first those that Multimed is compared with, whatever their places in the turns, then
     * Multimed's.
     */
    private static List<String> systems(List<Run> point) {
        List<String> systems = new ArrayList<>(Runs.bySystem(point).keySet());
        systems.sort((one, other) -> Boolean.compare(one.startsWith(MULTIMED), other.startsWith(MULTIMED)));
        return systems;
    }

    private static String number(double value) {
        return ReportTable.format(Math.abs(value) < 1 ? "%.2f" : Math.abs(value) < 100 ? "%.1f" : "%.0f", value);
    }
}
