package io.multimed.bench.report;

import io.multimed.bench.BenchException;
import java.awt.Color;
import java.util.List;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Curves with their ranges and text, as a page that needs no other file. */
public final class CurvePage {
    private static final Color[] COLOURS = {
        new Color(0x1f77b4), new Color(0xff7f0e), new Color(0x2ca02c), new Color(0xd62728), new Color(0x9467bd)
    };

    private final StringBuilder page;

    /** A curve of which only the bounds are known. */
    public record Range(String name, List<Integer> at, List<Double> least, List<Double> most) {
        public Range {
            at = List.copyOf(at);
            least = List.copyOf(least);
            most = List.copyOf(most);
        }
    }

    public CurvePage(String title) {
        this.page = new StringBuilder(HtmlReport.head(title));
    }

    public void heading(String text) {
        page.append("<h2>").append(HtmlReport.escaped(text)).append("</h2>\n");
    }

    public void text(String text) {
        page.append("<pre>").append(HtmlReport.escaped(text)).append("</pre>\n");
    }

    /** Each range as two lines of the same colour. */
    public void chart(String title, String x, String y, List<Range> ranges) throws BenchException {
        page.append(HtmlReport.drawn(() -> {
            XYChart chart = Charts.lines(title, x, y);
            for (int i = 0; i < ranges.size(); i++) {
                Range range = ranges.get(i);
                Color colour = COLOURS[i % COLOURS.length];
                line(chart, range.name() + ", most", range.at(), range.most(), colour);
                line(chart, range.name() + ", least", range.at(), range.least(), colour);
            }
            return Charts.picture(chart);
        }));
    }

    private static void line(XYChart chart, String name, List<Integer> at, List<Double> values, Color colour) {
        XYSeries line = chart.addSeries(name, at, values);
        line.setMarker(SeriesMarkers.CIRCLE);
        line.setMarkerColor(colour);
        line.setLineColor(colour);
    }

    public String html() {
        return page + HtmlReport.TAIL;
    }
}
