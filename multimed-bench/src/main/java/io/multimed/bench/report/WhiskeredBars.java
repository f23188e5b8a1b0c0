package io.multimed.bench.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.util.ArrayList;
import java.util.List;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;

/** Bars with a whisker each, from the least to the most: the chart's own error bars are symmetrical. */
final class WhiskeredBars extends CategoryChart {
    private static final double CAP = 4;
    /** Room above the highest point, as a factor. */
    private static final double ROOM = 1.02;

    private final List<List<Spread>> series = new ArrayList<>();

    WhiskeredBars(CategoryChartBuilder builder) {
        super(builder);
    }

    /**
     * @param spreads one for each category; if a median is not a number there is no bar
     */
    void add(String name, List<String> categories, List<Spread> spreads, Color colour) {
        addSeries(
                        name,
                        categories,
                        spreads.stream()
                                .map(spread -> Double.isFinite(spread.median()) ? spread.median() : 0)
                                .toList())
                .setFillColor(colour);
        series.add(List.copyOf(spreads));
        double most = series.stream()
                .flatMap(List::stream)
                .mapToDouble(Spread::most)
                .filter(Double::isFinite)
                .max()
                .orElse(0);
        if (most > 0) {
            getStyler().setYAxisMax(most * ROOM);
        }
    }

    @Override
    public void paint(Graphics2D graphics, int width, int height) {
        super.paint(graphics, width, height);
        Rectangle2D bounds = plot.getBounds();
        double inner = getStyler().getPlotContentSize() * bounds.getWidth();
        graphics.setColor(Color.BLACK);
        graphics.setStroke(new BasicStroke(1));
        for (int number = 0; number < series.size(); number++) {
            List<Spread> spreads = series.get(number);
            double category = inner / spreads.size();
            double fill = getStyler().getAvailableSpaceFill();
            double bar = category / series.size() * fill;
            double first = bounds.getX() + (bounds.getWidth() - inner) / 2 + category * (1 - fill) / 2;
            for (int at = 0; at < spreads.size(); at++) {
                whisker(graphics, first + category * at + bar * (number + 0.5), spreads.get(at));
            }
        }
    }

    private void whisker(Graphics2D graphics, double x, Spread spread) {
        // A single run has no spread.
        if (spread.most() > spread.least()) {
            double low = getScreenYFromChart(spread.least());
            double high = getScreenYFromChart(spread.most());
            graphics.draw(new Line2D.Double(x, low, x, high));
            graphics.draw(new Line2D.Double(x - CAP, low, x + CAP, low));
            graphics.draw(new Line2D.Double(x - CAP, high, x + CAP, high));
        }
    }
}
