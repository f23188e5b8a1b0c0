package io.multimed.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A table of experiments' results beyond throughput and latency, of several systems. */
public final class FigureTable {
    private FigureTable() {}

    /** Returns a row for each figure, medians over the valid runs of each system; empty when there are none. */
    public static String of(List<Run> runs) {
        Map<String, Figure> figures = named(runs);
        if (figures.isEmpty()) {
            return "";
        }
        List<String> systems = runs.stream().map(Run::system).distinct().toList();
        List<String[]> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("found out", "unit"));
        head.addAll(systems);
        rows.add(head.toArray(String[]::new));
        figures.forEach((name, figure) -> {
            List<String> row = new ArrayList<>(List.of(name, figure.unit()));
            systems.forEach(system -> row.add(TextTable.format("%.3f", median(Sweep.of(runs, system), name))));
            rows.add(row.toArray(String[]::new));
        });
        return TextTable.aligned(rows);
    }

    /** Returns the figures by their names, in their order. */
    static Map<String, Figure> named(List<Run> runs) {
        Map<String, Figure> figures = new LinkedHashMap<>();
        runs.stream()
                .filter(Run::valid)
                .flatMap(run -> run.figures().stream())
                .forEach(figure -> figures.putIfAbsent(figure.name(), figure));
        return figures;
    }

    static double median(List<Run> runs, String name) {
        return Statistics.median(runs.stream()
                .filter(Run::valid)
                .mapToDouble(run -> run.figure(name))
                .filter(value -> !Double.isNaN(value))
                .toArray());
    }
}
