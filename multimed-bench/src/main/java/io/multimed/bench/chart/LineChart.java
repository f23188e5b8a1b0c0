package io.multimed.bench.chart;

import io.multimed.bench.chart.Svg.Anchor;
import io.multimed.bench.chart.Svg.Place;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Lines from left to right, each with its name and last value at its end. */
public final class LineChart {
    /** A value with its range; a range of no width is not drawn. */
    public record Point(double x, double y, double least, double most) {
        public Point(double x, double y) {
            this(x, y, y, y);
        }
    }

    public record Line(String name, String colour, List<Point> points) {
        public Line {
            points = List.copyOf(points);
        }
    }

    private static final double WIDTH = 880;
    private static final double HEIGHT = 400;
    private static final double BOTTOM = HEIGHT - 52;
    private static final double LEFT = 64;
    /** Least distance between two lines of text. */
    private static final double LINE = 15;

    private static final double CAP = 4;
    /** Ratio of the greatest number to the least from which on a linear axis has no room for the small ones. */
    private static final double LOGARITHMIC_FROM = 20;

    private final Labels labels;
    private final List<Line> lines;
    private final List<Double> at;
    private final List<Double> scale;
    private final double right;
    private final Svg svg = new Svg();

    private LineChart(Labels labels, List<Line> lines) {
        this.labels = labels;
        this.lines = lines;
        this.at = points(lines).map(Point::x).distinct().sorted().toList();
        this.scale =
                ChartNumbers.scale(points(lines).mapToDouble(Point::most).max().orElse(1));
        double names = lines.stream()
                .mapToDouble(line -> Svg.width(end(line), Labels.SIZE))
                .max()
                .orElse(0);
        this.right = WIDTH - names - 20;
    }

    private static Stream<Point> points(List<Line> lines) {
        return lines.stream().flatMap(line -> line.points().stream());
    }

    /** @param lines each with a point at least, in ascending order of {@code x} */
    public static String of(Labels labels, List<Line> lines) {
        return new LineChart(labels, List.copyOf(lines)).draw();
    }

    private String draw() {
        labels.drawAbove(svg, WIDTH);
        drawAxes();
        lines.forEach(this::draw);
        drawNames();
        return svg.picture(WIDTH, HEIGHT, labels.title());
    }

    private void drawAxes() {
        double step = scale.get(1);
        for (double value : scale) {
            svg.line(new Place(LEFT, y(value)), new Place(right, y(value)), value == 0 ? Svg.PALE : Svg.GRID, 1);
            svg.text(
                    new Place(LEFT - 8, y(value) + 4),
                    Anchor.END,
                    Labels.SIZE,
                    Svg.PALE,
                    ChartNumbers.onAxis(value, step));
        }
        double free = 0;
        for (double value : at) {
            String text = value == Math.rint(value) ? ChartNumbers.onAxis(value, 1) : ChartNumbers.text(value);
            double half = Svg.width(text, Labels.SIZE) / 2;
            svg.line(new Place(x(value), BOTTOM), new Place(x(value), BOTTOM + 5), Svg.PALE, 1);
            if (x(value) - half >= free) {
                svg.text(new Place(x(value), BOTTOM + 19), Anchor.MIDDLE, Labels.SIZE, Svg.PALE, text);
                free = x(value) + half + 6;
            }
        }
        String axis = labels.x() + (logarithmic() ? " (logarithmic)" : "");
        svg.text(new Place((LEFT + right) / 2, BOTTOM + 40), Anchor.MIDDLE, Labels.SIZE, Svg.INK, axis);
    }

    private void draw(Line line) {
        List<Place> middle =
                line.points().stream().map(point -> place(point, point.y())).toList();
        line.points().stream()
                .filter(point -> point.most() > point.least())
                .forEach(point -> whisker(point, line.colour()));
        svg.path(middle, line.colour());
        middle.forEach(place -> svg.dot(place, line.colour()));
    }

    private void whisker(Point point, String colour) {
        Place least = place(point, point.least());
        Place most = place(point, point.most());
        svg.line(least, most, colour, 1);
        for (Place end : List.of(least, most)) {
            svg.line(new Place(end.x() - CAP, end.y()), new Place(end.x() + CAP, end.y()), colour, 1);
        }
    }

    /** Writes names beside the ends of their lines, at least a line of text apart. */
    private void drawNames() {
        List<Line> ordered = lines.stream()
                .sorted(Comparator.comparingDouble(
                        line -> -line.points().getLast().y()))
                .toList();
        double[] heights = ordered.stream()
                .mapToDouble(line -> y(line.points().getLast().y()))
                .toArray();
        for (int i = 1; i < heights.length; i++) {
            heights[i] = Math.max(heights[i], heights[i - 1] + LINE);
        }
        for (int i = heights.length - 1; i >= 0; i--) {
            heights[i] = Math.min(heights[i], i == heights.length - 1 ? BOTTOM : heights[i + 1] - LINE);
        }
        for (int i = 0; i < heights.length; i++) {
            Line line = ordered.get(i);
            svg.text(new Place(right + 10, heights[i] + 4), Anchor.START, Labels.SIZE, line.colour(), end(line));
        }
    }

    private static String end(Line line) {
        return line.name() + " " + ChartNumbers.text(line.points().getLast().y());
    }

    private Place place(Point point, double value) {
        return new Place(x(point.x()), y(value));
    }

    private double x(double value) {
        double least = at.getFirst();
        double most = at.getLast();
        double part = most == least
                ? 0.5
                : logarithmic() ? Math.log(value / least) / Math.log(most / least) : (value - least) / (most - least);
        double room = right - LEFT;
        // Some room beside the first and the last number.
        return LEFT + room * (0.03 + 0.94 * part);
    }

    private boolean logarithmic() {
        return at.getFirst() > 0 && at.getLast() / at.getFirst() >= LOGARITHMIC_FROM;
    }

    private double y(double value) {
        return BOTTOM - (BOTTOM - Labels.HEAD) * value / scale.getLast();
    }
}
