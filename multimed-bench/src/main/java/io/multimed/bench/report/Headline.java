package io.multimed.bench.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;

/** The comparison that a reader looks for first: Multimed beside each other system, a row for each load. */
final class Headline {
    private static final Pattern MIXES = Pattern.compile("tpcw (browsing|shopping|ordering).*|tpcw only .*|tpcc .*");
    private static final Pattern INTERACTION = Pattern.compile("tpcw load interaction");
    private static final String MULTIMED = "multimed";
    private static final String REPLICAS = "multimed-";
    private static final String VOID = "void";
    private static final String NOT_RUN = "-";

    private final List<Run> runs;
    private final Places places;

    Headline(List<Run> runs, Places places) {
        this.runs = runs;
        this.places = places;
    }

    /** A table, its first row the names of its columns. */
    record Table(String title, String file, List<List<String>> rows) {
        /** Returns the table in Markdown, for READMEs. */
        String markdown() {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < rows.size(); i++) {
                text.append("| ").append(String.join(" | ", rows.get(i))).append(" |\n");
                if (i == 0) {
                    text.append("|---".repeat(rows.getFirst().size())).append("|\n");
                }
            }
            return text.toString();
        }
    }

    /** Returns the tables for which there are runs. */
    List<Table> tables() {
        List<Table> tables = new ArrayList<>();
        add(
                tables,
                "Throughput, in interactions a second (TPC-C: transactions): Multimed's, and how many times each other system's it"
                        + " is",
                "throughput",
                of(MIXES, run -> run.measured().perSecond(), false));
        add(
                tables,
                "99th percentile of short interactions beside heavy ones, in ms: Multimed's, and how many times less than"
                        + " each other system's it is",
                "short-interactions",
                of(INTERACTION, run -> run.measured().shortReads().p99(), true));
        add(
                tables,
                "Throughput inside a JVM, in transactions a second (TPC-W: interactions): that of replicas, and how many times"
                        + " the engine's alone it is",
                "replicas",
                embedded());
        return tables;
    }

    private static void add(List<Table> tables, String title, String file, List<List<String>> rows) {
        if (rows.size() > 1) {
            tables.add(new Table(title, file, rows));
        }
    }

    /** Returns the valid runs of the mixes at each place, by system. */
    Map<String, Map<String, List<Run>>> mixes() {
        Map<String, Map<String, List<Run>>> all = new LinkedHashMap<>();
        for (List<Run> point : compared(MIXES, MULTIMED)) {
            Map<String, List<Run>> systems = new LinkedHashMap<>();
            systems(point)
                    .forEach(system -> systems.put(
                            system,
                            Sweep.of(point, system).stream().filter(Run::valid).toList()));
            all.put(places.whole(point.getFirst()).replaceFirst("^tpc[wc] ", ""), systems);
        }
        return all;
    }

    private List<List<Run>> compared(Pattern benchmark, String system) {
        return Sweep.points(runs).stream()
                .filter(point -> benchmark.matcher(point.getFirst().benchmark()).matches())
                .filter(point ->
                        systems(point).size() > 1 && systems(point).stream().anyMatch(name -> name.startsWith(system)))
                .filter(point -> !system.equals(MULTIMED) || systems(point).contains(MULTIMED))
                .toList();
    }

    private List<List<String>> of(Pattern benchmark, ToDoubleFunction<Run> value, boolean less) {
        List<List<Run>> points = compared(benchmark, MULTIMED);
        List<String> others = points.stream()
                .flatMap(point -> systems(point).stream())
                .distinct()
                .filter(system -> !system.equals(MULTIMED))
                .toList();
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("load", MULTIMED));
        others.forEach(other -> head.addAll(List.of(other, "ratio")));
        rows.add(head);
        for (List<Run> point : points) {
            List<Run> ours = Sweep.of(point, MULTIMED);
            List<String> row = new ArrayList<>(List.of(places.whole(point.getFirst()), cell(ours, value)));
            for (String other : others) {
                List<Run> theirs = Sweep.of(point, other);
                row.add(cell(theirs, value));
                row.add(ratio(less ? Statistics.ratios(theirs, ours, value) : Statistics.ratios(ours, theirs, value)));
            }
            rows.add(row);
        }
        return rows;
    }

    private List<List<String>> embedded() {
        List<List<Run>> points = compared(MIXES, REPLICAS).stream()
                .filter(point -> !systems(point).contains(MULTIMED)
                        && !systems(point).getFirst().startsWith(REPLICAS))
                .toList();
        List<String> numbers = points.stream()
                .flatMap(point -> systems(point).stream())
                .filter(system -> system.startsWith(REPLICAS))
                .map(system -> system.replaceFirst(".*-", ""))
                .distinct()
                .sorted(Comparator.comparingInt(Integer::parseInt))
                .toList();
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("load", "alone"));
        numbers.forEach(
                number -> head.addAll(List.of(number + (number.equals("1") ? " engine" : " engines"), "ratio")));
        rows.add(head);
        for (List<Run> point : points) {
            String engine = systems(point).getFirst();
            List<Run> alone = Sweep.of(point, engine);
            List<String> row = new ArrayList<>(List.of(
                    places.whole(point.getFirst()),
                    cell(alone, run -> run.measured().perSecond())));
            for (String number : numbers) {
                List<Run> replicas = Sweep.of(point, REPLICAS + engine + "-" + number);
                row.add(cell(replicas, run -> run.measured().perSecond()));
                row.add(ratio(Statistics.ratios(replicas, alone)));
            }
            rows.add(row);
        }
        return rows;
    }

    /**
     * Returns the names of the systems: first those that Multimed is compared with, whatever their places in the turns, then
     * Multimed's.
     */
    private static List<String> systems(List<Run> point) {
        List<String> systems = point.stream().map(Run::system).distinct().toList();
        return java.util.stream.Stream.concat(
                        systems.stream().filter(system -> !system.startsWith(MULTIMED)),
                        systems.stream().filter(system -> system.startsWith(MULTIMED)))
                .toList();
    }

    private static String cell(List<Run> runs, ToDoubleFunction<Run> value) {
        double[] values =
                runs.stream().filter(Run::valid).mapToDouble(value).sorted().toArray();
        if (values.length == 0) {
            return runs.isEmpty() ? NOT_RUN : VOID;
        }
        String median = number(Statistics.median(values));
        return (values.length == 1
                        ? median
                        : median + " (" + number(values[0]) + " to " + number(values[values.length - 1]) + ")")
                + (values.length == runs.size() ? "" : ", " + (runs.size() - values.length) + " void");
    }

    private static String number(double value) {
        return TextTable.format(Math.abs(value) < 1 ? "%.2f" : Math.abs(value) < 100 ? "%.1f" : "%.0f", value);
    }

    private static String ratio(double[] ratios) {
        return Arrays.stream(ratios).anyMatch(Double::isFinite)
                ? TextTable.format("%.2f", Statistics.median(ratios))
                        + (ratios.length == 1 ? "" : TextTable.format(" (%.2f)", Statistics.lowerBound(ratios)))
                : NOT_RUN;
    }
}
