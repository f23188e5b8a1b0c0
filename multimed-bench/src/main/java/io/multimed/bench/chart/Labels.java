package io.multimed.bench.chart;

import io.multimed.bench.chart.Svg.Anchor;
import io.multimed.bench.chart.Svg.Place;

/**
 * The texts around a chart.
 *
 * @param title says what is compared
 * @param subtitle says on which machine and how often
 * @param x the quantity along the horizontal axis with its unit; empty if a chart has none
 * @param y the quantity that is drawn, with its unit
 */
public record Labels(String title, String subtitle, String x, String y) {
    static final double TITLE_SIZE = 16;
    static final double SIZE = 12;
    /** Height of the texts above a chart. */
    static final double HEAD = 78;

    private static final double LEFT = 12;

    /** Draws the texts above a chart. A title that is too long for the width becomes smaller. */
    void drawAbove(Svg svg, double width) {
        double size = Math.min(TITLE_SIZE, TITLE_SIZE * (width - 2 * LEFT) / Svg.width(title, TITLE_SIZE));
        svg.bold(new Place(LEFT, 24), size, title);
        svg.text(new Place(LEFT, 42), Anchor.START, SIZE, Svg.PALE, subtitle);
        svg.text(new Place(LEFT, 64), Anchor.START, SIZE, Svg.INK, y);
    }
}
