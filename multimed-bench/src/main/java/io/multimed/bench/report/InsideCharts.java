package io.multimed.bench.report;

import io.multimed.bench.BenchException;
import io.multimed.bench.measure.ContextSwitches;
import io.multimed.bench.measure.Measured;
import java.awt.Color;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.Stream;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategorySeries;

/** Charts of the inside of systems, a bar for each, divided by process or by the waits of sessions. */
final class InsideCharts {
    private static final double MB = 1e6;
    /** Least average number of sessions that is visible as a part of a bar. */
    private static final double VISIBLE = 0.02;

    private static final int SHADES = 5;

    private InsideCharts() {}

    static void draw(Page page, String title, Map<String, List<Run>> systems) throws BenchException {
        Map<String, List<Measured>> measured = new LinkedHashMap<>();
        systems.forEach((system, runs) -> measured.put(system, InsideTable.measured(runs)));
        page.chart(
                title + " processor time",
                () -> byProcess(
                        title + ": processor time, without the load generator",
                        "cores used",
                        measured,
                        (one, process) -> one.cpuSeconds().getOrDefault(process, 0.0) / one.seconds()));
        page.chart(
                title + " memory",
                () -> byProcess(
                        title + ": memory at the end, files in memory included",
                        "MB",
                        measured,
                        (one, process) -> InsideTable.memory(one, process) / MB));
        page.chart(
                title + " context switches",
                () -> byProcess(
                        title + ": context switches of a database transaction",
                        "switches/tx",
                        measured,
                        (one, process) -> one.contextSwitches()
                                        .getOrDefault(process, new ContextSwitches(0, 0))
                                        .all()
                                / one.transactions()));
        page.chart(title + " sessions", () -> sessions(title, measured));
    }

    private static Optional<CategoryChart> byProcess(
            String title,
            String unit,
            Map<String, List<Measured>> systems,
            ToDoubleBiFunction<Measured, String> value) {
        Map<String, Map<String, Double>> parts = new TreeMap<>();
        systems.forEach((system, same) -> InsideTable.processes(same).stream()
                .filter(process -> !process.equals(Measured.LOAD_GENERATOR))
                .forEach(process -> parts.computeIfAbsent(process, any -> new TreeMap<>())
                        .put(system, TextTable.medianOf(same, one -> value.applyAsDouble(one, process)))));
        return stacked(title, unit, List.copyOf(systems.keySet()), parts);
    }

    private static Optional<CategoryChart> sessions(String title, Map<String, List<Measured>> systems) {
        List<String> bars = new ArrayList<>();
        Map<String, Map<String, Double>> parts = new TreeMap<>();
        systems.forEach((system, same) -> same.getFirst().inside().nodes().keySet().stream()
                .sorted()
                .forEach(node -> {
                    bars.add(system + " " + node);
                    InsideTable.sessions(same, node).forEach((what, sessions) -> {
                        if (sessions >= VISIBLE) {
                            parts.computeIfAbsent(what, any -> new TreeMap<>()).put(system + " " + node, sessions);
                        }
                    });
                }));
        return stacked(title + ": sessions at work by what they wait for", "sessions, on the average", bars, parts);
    }

    /** @param parts of bars, by name; empty where there are none */
    private static Optional<CategoryChart> stacked(
            String title, String unit, List<String> bars, Map<String, Map<String, Double>> parts) {
        CategoryChart chart = ChartStyle.categories(title, unit);
        chart.getStyler().setStacked(true);
        ChartStyle.slant(chart, bars);
        Set<Color> taken = new HashSet<>();
        parts.forEach((name, values) -> {
            List<Double> heights =
                    bars.stream().map(bar -> values.getOrDefault(bar, 0.0)).toList();
            if (heights.stream().allMatch(Double::isFinite) && heights.stream().anyMatch(height -> height > 0)) {
                CategorySeries part = chart.addSeries(name, bars, heights);
                // Several waits for locks have different shades.
                ChartStyle.part(name)
                        .map(usual -> Stream.iterate(usual, Color::darker)
                                .limit(SHADES)
                                .filter(taken::add)
                                .findFirst()
                                .orElse(usual))
                        .ifPresent(part::setFillColor);
            }
        });
        return chart.getSeriesMap().isEmpty() ? Optional.empty() : Optional.of(chart);
    }
}
