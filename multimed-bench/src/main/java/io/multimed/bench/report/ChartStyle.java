package io.multimed.bench.report;

import java.awt.Color;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendPosition;

/** The common style of all charts: their size, axes from 0, and a system's colour. */
final class ChartStyle {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 360;
    /** Part of the width that the bars have; below it, the width of a letter of a name. */
    private static final int PLOT = 560;

    private static final int LETTER = 8;
    /** Degrees by which long names are turned. */
    private static final int SLANTED = 20;

    private static final float TITLE_SIZE = 14;
    /** Number of letters of that size that fit beside each other. */
    private static final int TITLE_LETTERS = 80;

    /** The usual systems, so that each has its colour in every chart of every report. */
    private static final List<String> KNOWN = List.of(
            "standalone",
            "standalone-tuned",
            "pgbouncer",
            "multimed",
            "multimed-c0",
            "multimed-session",
            "multimed-eventual",
            "multimed-uncoalesced",
            "pgpool",
            "pgpool-si",
            "standalone-undurable");

    private static final List<Color> COLOURS = List.of(
            new Color(0x7f7f7f),
            new Color(0x1f77b4),
            new Color(0x9467bd),
            new Color(0xd62728),
            new Color(0xff7f0e),
            new Color(0x2ca02c),
            new Color(0x17becf),
            new Color(0x8c564b),
            new Color(0xbcbd22),
            new Color(0xe377c2),
            new Color(0xaec7e8));

    /** The usual parts of a bar: the processes of a system, and the waits of its sessions. */
    private static final Map<String, Color> PARTS = Map.of(
            "postgresql", new Color(0x7f7f7f),
            "pgbouncer", new Color(0x9467bd),
            "master", new Color(0xd62728),
            "middleware", new Color(0xff7f0e),
            "satellite", new Color(0x1f77b4),
            "running", new Color(0x2ca02c),
            "IO", new Color(0x1f77b4),
            "IPC", new Color(0xff7f0e),
            "LWLock", new Color(0x9467bd),
            "Lock", new Color(0xd62728));

    private ChartStyle() {}

    static XYChart lines(String title, String x, String y) {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle(x)
                .yAxisTitle(y)
                .build();
        style(chart.getStyler(), title);
        return chart;
    }

    static CategoryChart categories(String title, String unit) {
        CategoryChart chart = builder(title, unit).build();
        style(chart.getStyler(), title);
        return chart;
    }

    static WhiskeredBars bars(String title, String unit) {
        WhiskeredBars chart = new WhiskeredBars(builder(title, unit));
        style(chart.getStyler(), title);
        return chart;
    }

    private static CategoryChartBuilder builder(String title, String unit) {
        return new CategoryChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .yAxisTitle(unit);
    }

    /** Turns names that have no room beside each other. */
    static void slant(CategoryChart chart, Collection<String> names) {
        int longest = names.stream().mapToInt(String::length).max().orElse(0);
        chart.getStyler().setXAxisLabelRotation(longest * LETTER * names.size() > PLOT ? SLANTED : 0);
    }

    private static void style(AxesChartStyler styler, String title) {
        // A longer title would be cut off at both ends.
        float size = Math.min(TITLE_SIZE, TITLE_SIZE * TITLE_LETTERS / Math.max(1, title.length()));
        styler.setChartTitleFont(styler.getChartTitleFont().deriveFont(size));
        // Without this pattern half a unit is ".5".
        styler.setDecimalPattern("#,##0.####");
        styler.setLegendPosition(LegendPosition.OutsideE);
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setLegendBorderColor(Color.WHITE);
        styler.setPlotBorderVisible(false);
        styler.setYAxisMin(0.0);
    }

    /** Returns a system's colour. The engines alone have the first colours; the others have one for each number of replicas. */
    static Color colour(String system) {
        int known = KNOWN.indexOf(system);
        if (known >= 0) {
            return colour(known);
        }
        if (!system.startsWith("multimed-")) {
            return colour(0);
        }
        String number = system.replaceAll(".*-(\\d{1,3})$", "$1");
        return colour(number.equals(system) ? KNOWN.size() : 2 + Integer.parseInt(number));
    }

    /** Returns a part's colour by the beginning of its name; empty for unusual parts. */
    static Optional<Color> part(String name) {
        return Optional.ofNullable(PARTS.get(name.replaceFirst("[^A-Za-z].*", "")))
                .map(colour -> name.contains("replay") ? new Color(0x17becf) : colour);
    }

    static Color colour(int number) {
        return COLOURS.get(number % COLOURS.size());
    }
}
