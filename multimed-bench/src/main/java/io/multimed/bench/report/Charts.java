package io.multimed.bench.report;

import io.multimed.bench.BenchException;
import io.multimed.bench.measure.Operation;
import java.awt.Color;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Charts of comparable runs as pictures that a page can hold. */
final class Charts {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 360;
    private static final int SECONDS_PER_POINT = 5;
    /** Degrees, for names that are long. */
    private static final int SLANTED = 20;

    private Charts() {}

    /** Median throughput, with the span from least to most. */
    static String throughput(Map<String, List<Run>> systems) throws BenchException {
        CategoryChart chart = categories("Throughput", unit(systems));
        List<Double> medians = new ArrayList<>();
        List<Double> spreads = new ArrayList<>();
        systems.forEach((system, runs) -> {
            double[] values =
                    runs.stream().mapToDouble(run -> run.measured().perSecond()).toArray();
            double median = Statistics.median(values);
            medians.add(median);
            spreads.add(java.util.Arrays.stream(values)
                    .map(value -> Math.abs(value - median))
                    .max()
                    .orElse(0));
        });
        chart.getStyler().setLegendVisible(false);
        chart.addSeries(unit(systems), List.copyOf(systems.keySet()), medians, spreads);
        return picture(chart);
    }

    /** Of each operation, the median of the runs' 99th percentiles. */
    static String tail(Map<String, List<Run>> systems) throws BenchException {
        CategoryChart chart = categories("99th percentile of latency", "ms");
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
                    .toList();
            chart.addSeries(system, names, values);
        });
        return picture(chart);
    }

    /** What an experiment has found out, as far as it has the unit of the first figure; empty if it was nothing. */
    static String figures(Map<String, List<Run>> systems) throws BenchException {
        List<Run> runs = systems.values().stream().flatMap(List::stream).toList();
        List<Figure> all = List.copyOf(FigureTable.named(runs).values());
        if (all.isEmpty()) {
            return "";
        }
        String unit = all.getFirst().unit();
        List<String> names = all.stream()
                .filter(figure -> figure.unit().equals(unit))
                .map(Figure::name)
                .toList();
        CategoryChart chart = categories(runs.getFirst().benchmark() + ", " + unit, unit);
        chart.getStyler().setXAxisLabelRotation(SLANTED);
        systems.forEach((system, own) -> {
            List<Double> values = names.stream()
                    .map(name -> FigureTable.median(own, name))
                    .map(value -> value.isNaN() ? 0 : value)
                    .toList();
            chart.addSeries(system, names, values);
        });
        return picture(chart);
    }

    /** Throughput over the first run of each system, warm-up included: whether it was steady. */
    static String course(Map<String, List<Run>> systems) throws BenchException {
        XYChart chart = lines("Course of the first run, warm-up included", "s", unit(systems));
        systems.forEach((system, runs) -> {
            List<Integer> series = runs.getFirst().measured().series();
            int points = series.size() / SECONDS_PER_POINT;
            if (points > 0) {
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
                chart.addSeries(system, seconds, values).setMarker(SeriesMarkers.NONE);
            }
        });
        return chart.getSeriesMap().isEmpty() ? "" : picture(chart);
    }

    /** The median of each system over the numbers that the runs differ in. */
    static String sweep(List<Run> runs) throws BenchException {
        Axis axis = Sweep.axis(runs);
        XYChart chart =
                lines(axis.subject() + " by number of " + axis.name(), axis.name(), Sweep.unit(axis, runs.getFirst()));
        Map<Integer, List<Run>> values = Sweep.values(runs, axis);
        for (String system : runs.stream().map(Run::system).distinct().toList()) {
            List<Integer> at = values.keySet().stream()
                    .filter(value -> !Sweep.of(values.getOrDefault(value, List.of()), system)
                            .isEmpty())
                    .toList();
            List<Double> medians = at.stream()
                    .map(value -> TextTable.medianOf(
                            Sweep.of(values.getOrDefault(value, List.of()), system),
                            axis.drawn().value()))
                    .toList();
            if (!at.isEmpty()) {
                chart.addSeries(system, at, medians);
            }
        }
        return picture(chart);
    }

    private static String unit(Map<String, List<Run>> systems) {
        return systems.values().iterator().next().getFirst().operations() + "/s";
    }

    static XYChart lines(String title, String x, String y) {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle(x)
                .yAxisTitle(y)
                .build();
        chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        chart.getStyler().setYAxisMin(0.0);
        return chart;
    }

    static CategoryChart categories(String title, String unit) {
        CategoryChart chart = new CategoryChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .yAxisTitle(unit)
                .build();
        chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        chart.getStyler().setYAxisMin(0.0);
        return chart;
    }

    static String picture(Chart<?, ?> chart) throws BenchException {
        try {
            return "<img alt=\"" + HtmlReport.escaped(chart.getTitle()) + "\" src=\"data:image/png;base64,"
                    + Base64.getEncoder().encodeToString(BitmapEncoder.getBitmapBytes(chart, BitmapFormat.PNG))
                    + "\">\n";
        } catch (IOException e) {
            throw new BenchException("cannot draw '" + chart.getTitle() + "': " + e, e);
        }
    }
}
