package io.multimed.bench.report;

import java.awt.Graphics2D;
import java.awt.geom.Line2D;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.Marker;

/** The end of a whisker of a curve. */
final class Cap extends Marker {
    @Override
    public void paint(Graphics2D graphics, double x, double y, int size) {
        graphics.setStroke(SeriesLines.SOLID);
        graphics.draw(new Line2D.Double(x - size / 2.0, y, x + size / 2.0, y));
    }
}
