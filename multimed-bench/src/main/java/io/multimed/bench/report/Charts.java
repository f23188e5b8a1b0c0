package io.multimed.bench.report;

import io.multimed.bench.measure.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Charts of comparable runs, all of them valid. */
final class Charts {
    private static final int SECONDS_PER_POINT = 5;
    /** Value from which on the small numbers of an axis would lie on top of each other. */
    private static final int LOGARITHMIC_FROM = 50;

    private Charts() {}

    /** Returns a chart of median throughput, with the range of the runs. */
    static Optional<CategoryChart> throughput(String title, Map<String, List<Run>> systems) {
        return systems.size() < 2
                ? Optional.empty()
                : places(title + ": throughput", unit(systems), Map.of(title, systems));
    }

    /** Returns groups of bars: median throughput of each system at several places. */
    static Optional<CategoryChart> places(String title, Map<String, Map<String, List<Run>>> places) {
        return places(title, "operations/s", places);
    }

    private static Optional<CategoryChart> places(
            String title, String unit, Map<String, Map<String, List<Run>>> places) {
        List<String> systems = places.values().stream()
                .flatMap(place -> place.keySet().stream())
                .distinct()
                .toList();
        if (systems.isEmpty()) {
            return Optional.empty();
        }
        WhiskeredBars chart = ChartStyle.bars(
                title
                        + repeated(places.values().stream()
                                .flatMap(place -> place.values().stream())
                                .filter(runs -> !runs.isEmpty())
                                .toList()),
                unit + " (more is better)");
        ChartStyle.slant(chart, places.keySet());
        systems.forEach(system -> chart.add(
                system,
                List.copyOf(places.keySet()),
                places.values().stream()
                        .map(place -> Spread.of(
                                place.getOrDefault(system, List.of()),
                                run -> run.measured().perSecond()))
                        .toList(),
                ChartStyle.colour(system)));
        return Optional.of(chart);
    }

    /** Returns a chart of each operation's median of the runs' 99th percentiles. */
    static Optional<CategoryChart> tail(String title, Map<String, List<Run>> systems) {
        CategoryChart chart =
                ChartStyle.categories(title + ": 99th percentile of latency, by operation", "ms (less is better)");
        List<String> names = TextTable.seen(
                        systems.values().stream().flatMap(List::stream).toList())
                .stream()
                .map(Operation::name)
                .toList();
        systems.forEach((system, runs) -> {
            List<Double> values = names.stream()
                    .map(name -> Statistics.median(runs.stream()
                            .flatMap(run -> run.measured().operations().stream())
                            .filter(operation -> operation.name().equals(name))
                            .mapToDouble(operation -> operation.latency().p99())
                            .toArray()))
                    .map(Charts::drawable)
                    .toList();
            chart.addSeries(system, names, values).setFillColor(ChartStyle.colour(system));
        });
        return names.isEmpty() ? Optional.empty() : Optional.of(chart);
    }

    /** Returns a chart of an experiment's figures, restricted to the unit of the first one. */
    static Optional<CategoryChart> figures(String title, Map<String, List<Run>> systems) {
        List<Run> runs = systems.values().stream().flatMap(List::stream).toList();
        List<Figure> all = List.copyOf(FigureTable.named(runs).values());
        if (all.isEmpty()) {
            return Optional.empty();
        }
        String unit = all.getFirst().unit();
        List<String> names = all.stream()
                .filter(figure -> figure.unit().equals(unit))
                .map(Figure::name)
                .toList();
        CategoryChart chart = ChartStyle.categories(title + ", " + unit, unit);
        ChartStyle.slant(chart, names);
        systems.forEach((system, own) -> {
            List<Double> values = names.stream()
                    .map(name -> FigureTable.median(own, name))
                    .map(Charts::drawable)
                    .toList();
            chart.addSeries(system, names, values).setFillColor(ChartStyle.colour(system));
        });
        return Optional.of(chart);
    }

    private static double drawable(double value) {
        return Double.isFinite(value) ? value : 0;
    }

    /** Returns a chart of throughput over the first run of each system, warm-up included, which shows whether it was steady. */
    static Optional<XYChart> course(String title, Map<String, List<Run>> systems) {
        XYChart chart = ChartStyle.lines(
                title + ": course of the first run, " + warmups(systems) + " of warm-up included",
                "s since the clients began",
                unit(systems));
        systems.forEach((system, runs) -> {
            List<Integer> series = runs.getFirst().measured().series();
            int points = series.size() / SECONDS_PER_POINT;
            if (points > 1) {
                double[] seconds = IntStream.range(0, points)
                        .mapToDouble(point -> (point + 1.0) * SECONDS_PER_POINT)
                        .toArray();
                double[] values = IntStream.range(0, points)
                        .mapToDouble(point ->
                                series.subList(point * SECONDS_PER_POINT, (point + 1) * SECONDS_PER_POINT).stream()
                                        .mapToInt(Integer::intValue)
                                        .average()
                                        .orElse(0))
                        .toArray();
                coloured(chart.addSeries(system, seconds, values), system).setMarker(SeriesMarkers.NONE);
            }
        });
        return chart.getSeriesMap().isEmpty() ? Optional.empty() : Optional.of(chart);
    }

    private static String warmups(Map<String, List<Run>> systems) {
        int[] seconds = systems.values().stream()
                .mapToInt(runs -> runs.getFirst().measured().warmupSeconds())
                .sorted()
                .toArray();
        return (seconds[0] == seconds[seconds.length - 1] ? "" : seconds[0] + " to ") + seconds[seconds.length - 1]
                + " s";
    }

    /** Returns a chart of each system's median over the parameter in which the runs differ, with the range of the runs. */
    static Optional<XYChart> sweep(String title, List<Run> runs) {
        Axis axis = Sweep.axis(runs);
        Map<Integer, List<Run>> values = Sweep.values(runs, axis);
        List<String> systems = runs.stream().map(Run::system).distinct().toList();
        XYChart chart = ChartStyle.lines(
                title + ": " + axis.subject() + " " + axis.by()
                        + repeated(systems.stream()
                                .flatMap(system -> values.values().stream().map(same -> Sweep.of(same, system)))
                                .filter(same -> !same.isEmpty())
                                .toList()),
                axis.label() + (logarithmic(values) ? " (logarithmic)" : ""),
                Sweep.unit(axis, runs.getFirst()) + (axis.drawn().less() ? " (less is better)" : " (more is better)"));
        chart.getStyler().setXAxisLogarithmic(logarithmic(values));
        for (String system : systems) {
            List<Integer> at = new ArrayList<>();
            List<Double> medians = new ArrayList<>();
            values.forEach((value, same) -> {
                List<Run> own = Sweep.of(same, system);
                Spread spread = Spread.of(own, axis.drawn().value());
                if (Double.isFinite(spread.median())) {
                    at.add(value);
                    medians.add(spread.median());
                    whisker(chart, system, value, spread);
                }
            });
            if (!at.isEmpty()) {
                XYSeries line = coloured(chart.addSeries(system, at, medians), system);
                line.setMarker(SeriesMarkers.CIRCLE);
                line.setMarkerColor(ChartStyle.colour(system));
            }
        }
        return chart.getSeriesMap().isEmpty() ? Optional.empty() : Optional.of(chart);
    }

    /** Draws a whisker as a line of its own: the chart's own error bars are symmetrical. */
    private static void whisker(XYChart chart, String system, int at, Spread spread) {
        if (spread.most() > spread.least()) {
            XYSeries line = coloured(
                    chart.addSeries(system + " at " + at, List.of(at, at), List.of(spread.least(), spread.most())),
                    system);
            line.setLineWidth(1);
            line.setMarker(new Cap());
            line.setMarkerColor(ChartStyle.colour(system));
            line.setShowInLegend(false);
        }
    }

    private static boolean logarithmic(Map<Integer, List<Run>> values) {
        int least = values.keySet().stream().mapToInt(value -> value).min().orElse(0);
        int most = values.keySet().stream().mapToInt(value -> value).max().orElse(0);
        return least > 0 && most / least >= LOGARITHMIC_FROM;
    }

    private static XYSeries coloured(XYSeries line, String system) {
        line.setLineColor(ChartStyle.colour(system));
        return line;
    }

    /** Returns the number of runs behind each median, in words. */
    private static String repeated(java.util.Collection<List<Run>> same) {
        int least = same.stream().mapToInt(List::size).min().orElse(0);
        int most = same.stream().mapToInt(List::size).max().orElse(0);
        return most < 2
                ? " (one run each)"
                : " (medians of " + (least == most ? "" : least + " to ") + most
                        + " runs; whiskers: the least and the most)";
    }

    private static String unit(Map<String, List<Run>> systems) {
        return systems.values().iterator().next().getFirst().operations() + "/s";
    }
}
