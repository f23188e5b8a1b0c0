package io.multimed.bench.report;

import io.multimed.bench.BenchException;
import java.awt.Color;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Curves with their ranges and text, as a page that needs no other file. */
public final class CurvePage {
    private final Page page;

    /** A curve with bounds alone. */
    public record Range(String name, List<Integer> at, List<Double> least, List<Double> most) {
        public Range {
            at = List.copyOf(at);
            least = List.copyOf(least);
            most = List.copyOf(most);
        }
    }

    public CurvePage(String title) {
        this.page = new Page(title);
    }

    public void heading(String text) {
        page.heading(text);
    }

    public void paragraph(String text) {
        page.paragraph(text);
    }

    public void text(String text) {
        page.text(text);
    }

    /** Draws each range as two lines of the same colour. */
    public void chart(String title, String x, String y, List<Range> ranges) throws BenchException {
        page.chart(title, () -> {
            XYChart chart = ChartStyle.lines(title, x, y);
            for (int i = 0; i < ranges.size(); i++) {
                Range range = ranges.get(i);
                Color colour = ChartStyle.colour(i);
                line(chart, range.name() + ", most", range.at(), range.most(), colour);
                line(chart, range.name() + ", least", range.at(), range.least(), colour);
            }
            return Optional.of(chart);
        });
    }

    private static void line(XYChart chart, String name, List<Integer> at, List<Double> values, Color colour) {
        XYSeries line = chart.addSeries(name, at, values);
        line.setMarker(SeriesMarkers.CIRCLE);
        line.setMarkerColor(colour);
        line.setLineColor(colour);
    }

    public Report report() {
        return page.report(Map.of());
    }
}
