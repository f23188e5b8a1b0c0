package io.multimed.bench.chart;

import io.multimed.bench.chart.Svg.Anchor;
import io.multimed.bench.chart.Svg.Place;
import java.util.List;

/** Horizontal bars in groups, each bar with its name at the left and its value at the right. */
public final class BarChart {
    /** @param note stands behind the value, such as a ratio; may be empty */
    public record Bar(String name, String colour, double value, double least, double most, String note) {
        private String told() {
            return ChartNumbers.text(value)
                    + (most > least ? " (" + ChartNumbers.text(least) + " to " + ChartNumbers.text(most) + ")" : "")
                    + (note.isEmpty() ? "" : ", " + note);
        }
    }

    /** Bars under a heading of their own. */
    public record Group(String label, List<Bar> bars) {
        public Group {
            bars = List.copyOf(bars);
        }
    }

    private static final double WIDTH = 880;
    private static final double EDGE = 12;
    private static final double THICKNESS = 15;
    private static final double BAR = 20;
    private static final double LABEL = 22;
    private static final double GAP = 10;
    private static final double CAP = 4;

    private BarChart() {}

    /** @param groups each with a bar at least */
    public static String of(Labels labels, List<Group> groups) {
        Svg svg = new Svg();
        labels.drawAbove(svg, WIDTH);
        List<Bar> all = groups.stream().flatMap(group -> group.bars().stream()).toList();
        double left = EDGE
                + 10
                + all.stream()
                        .mapToDouble(bar -> Svg.width(bar.name(), Labels.SIZE))
                        .max()
                        .orElse(0);
        double values = all.stream()
                .mapToDouble(bar -> Svg.width(bar.told(), Labels.SIZE))
                .max()
                .orElse(0);
        double most = all.stream().mapToDouble(Bar::most).max().orElse(1);
        double unit = Math.max(100, WIDTH - left - values - 2 * EDGE) / Math.max(most, Double.MIN_NORMAL);
        double y = Labels.HEAD;
        for (Group group : groups) {
            svg.bold(new Place(EDGE, y + LABEL - 7), Labels.SIZE, group.label());
            y += LABEL;
            for (Bar bar : group.bars()) {
                draw(svg, bar, left, y, unit);
                y += BAR;
            }
            y += GAP;
        }
        return svg.picture(WIDTH, y, labels.title());
    }

    private static void draw(Svg svg, Bar bar, double left, double y, double unit) {
        double middle = y + THICKNESS / 2;
        svg.text(new Place(left - 8, middle + 4), Anchor.END, Labels.SIZE, Svg.INK, bar.name());
        svg.rectangle(new Place(left, y), Math.max(1, bar.value() * unit), THICKNESS, bar.colour());
        if (bar.most() > bar.least()) {
            double least = left + bar.least() * unit;
            double most = left + bar.most() * unit;
            svg.line(new Place(least, middle), new Place(most, middle), Svg.INK, 1);
            svg.line(new Place(least, middle - CAP), new Place(least, middle + CAP), Svg.INK, 1);
            svg.line(new Place(most, middle - CAP), new Place(most, middle + CAP), Svg.INK, 1);
        }
        double end = left + Math.max(bar.value(), bar.most()) * unit + 8;
        svg.text(new Place(end, middle + 4), Anchor.START, Labels.SIZE, Svg.INK, bar.told());
    }
}
