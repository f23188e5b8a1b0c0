package io.multimed.bench.report;

import io.multimed.bench.chart.BarChart;
import io.multimed.bench.chart.Labels;
import io.multimed.bench.chart.LineChart;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Charts of comparable runs, all of them valid. Each answers one question, with few lines or bars. */
final class Charts {
    /** Number of lines that a reader can tell apart. */
    private static final int MOST_LINES = 6;

    private static final String P99 = ", p99";

    private Charts() {}

    /** Returns a chart of median throughput: a group of bars for each benchmark, a bar for each system. */
    static String throughput(Headline.Comparison comparison) {
        List<BarChart.Group> groups = new ArrayList<>();
        comparison
                .benchmarks()
                .forEach((benchmark, systems) -> groups.add(new BarChart.Group(
                        benchmark,
                        systems.entrySet().stream()
                                .map(system -> bar(
                                        comparison.name(system.getKey()),
                                        system.getKey(),
                                        Statistics.spread(system.getValue(), Run::perSecond),
                                        comparison.ratio(systems, system.getKey())))
                                .toList())));
        Run some = comparison.some();
        return BarChart.of(
                new Labels(
                        comparison.title(),
                        machine(some) + "; " + repeated(comparison.all()),
                        "",
                        some.operations() + " a second (more is better); " + comparison.ratios()),
                groups);
    }

    private static BarChart.Bar bar(String name, String system, Statistics.Spread spread, String note) {
        return new BarChart.Bar(name, Colours.of(system), spread.median(), spread.least(), spread.most(), note);
    }

    /**
     * Returns a chart of an experiment's figures that have the unit of the first one; of several percentiles only the 99th is
     * drawn. Empty without figures.
     */
    static Optional<String> figures(String title, Map<String, List<Run>> systems) {
        List<Run> runs = systems.values().stream().flatMap(List::stream).toList();
        List<Figure> all = List.copyOf(Runs.figures(runs).values());
        if (all.isEmpty()) {
            return Optional.empty();
        }
        String unit = all.getFirst().unit();
        boolean percentiles = all.stream().anyMatch(figure -> figure.name().endsWith(P99));
        List<BarChart.Group> groups = new ArrayList<>();
        List<String> names = all.stream()
                .filter(figure -> figure.unit().equals(unit))
                .map(Figure::name)
                .filter(name -> !percentiles || name.endsWith(P99))
                .toList();
        for (String name : names) {
            List<BarChart.Bar> bars = systems.entrySet().stream()
                    .map(system -> bar(
                            system.getKey(),
                            system.getKey(),
                            Statistics.spread(system.getValue(), run -> run.figure(name)),
                            ""))
                    .filter(bar -> Double.isFinite(bar.value()))
                    .toList();
            if (!bars.isEmpty()) {
                groups.add(new BarChart.Group(name, bars));
            }
        }
        return Optional.of(BarChart.of(
                new Labels(title, machine(runs.getFirst()) + "; " + repeated(systems.values()), "", unit), groups));
    }

    /** Returns a chart of each system's median over the parameter in which the runs differ; empty without two points. */
    static Optional<String> sweep(List<Run> runs) {
        Axis axis = Sweep.axis(runs);
        Map<Integer, List<Run>> values = Sweep.values(runs, axis);
        List<LineChart.Line> lines = new ArrayList<>();
        List<List<Run>> drawn = new ArrayList<>();
        for (String system : Runs.bySystem(runs).keySet()) {
            List<LineChart.Point> points = new ArrayList<>();
            List<List<Run>> own = new ArrayList<>();
            values.forEach((value, same) -> {
                List<Run> there = Runs.of(same, system);
                Statistics.Spread spread = Statistics.spread(there, axis.drawn().value());
                if (Double.isFinite(spread.median())) {
                    points.add(new LineChart.Point(value, spread.median(), spread.least(), spread.most()));
                    own.add(there);
                }
            });
            if (points.size() > 1 && lines.size() < MOST_LINES) {
                lines.add(new LineChart.Line(system, Colours.of(system), points));
                drawn.addAll(own);
            }
        }
        Run some = runs.getFirst();
        String among = Places.titled(some, axis.bound());
        String better = axis.drawn().less() ? " (less is better)" : " (more is better)";
        return lines.isEmpty()
                ? Optional.empty()
                : Optional.of(LineChart.of(
                        new Labels(
                                Places.title(some) + ": " + axis.subject() + " " + axis.by()
                                        + (among.isEmpty() ? "" : ", " + among),
                                (axis.bound().contains("cores") ? some.machine().name() : machine(some)) + "; "
                                        + repeated(drawn),
                                axis.label(),
                                Sweep.unit(axis, some) + better),
                        lines));
    }

    /** Returns the machine, and the part of it that the systems had. */
    private static String machine(Run run) {
        String cores = run.parameters().getOrDefault("cores", "");
        return run.machine().name() + (cores.isEmpty() ? "" : ": " + cores);
    }

    /** Returns the number of runs behind each median, in words. */
    private static String repeated(Collection<List<Run>> same) {
        int least = same.stream().mapToInt(List::size).min().orElse(0);
        int most = same.stream().mapToInt(List::size).max().orElse(0);
        return most < 2
                ? "one run each"
                : "medians of " + (least == most ? "" : least + " to ") + most + " runs, with the least and the most";
    }
}
