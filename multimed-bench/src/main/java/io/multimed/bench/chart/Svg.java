package io.multimed.bench.chart;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A picture that is drawn from back to front, in pixels from its upper left corner. Used by one thread. */
final class Svg {
    /** A place on the picture. */
    record Place(double x, double y) {}

    /** The side of a text that lies at its place. */
    enum Anchor {
        START,
        MIDDLE,
        END
    }

    static final String INK = "#222222";
    static final String PALE = "#666666";
    static final String GRID = "#e2e2e2";

    /** Average width of a letter as a part of the size of the font; browsers differ in their fonts. */
    private static final double LETTER = 0.58;

    private final StringBuilder parts = new StringBuilder();

    /** Returns the approximate width of a text. */
    static double width(String text, double size) {
        return text.length() * size * LETTER;
    }

    void line(Place from, Place to, String colour, double thickness) {
        add(
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%.1f\"/>",
                from.x(), from.y(), to.x(), to.y(), colour, thickness);
    }

    void rectangle(Place corner, double width, double height, String colour) {
        add(
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>",
                corner.x(), corner.y(), width, height, colour);
    }

    void dot(Place at, String colour) {
        add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"/>", at.x(), at.y(), colour);
    }

    void path(List<Place> places, String colour) {
        add(
                "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2.2\" stroke-linejoin=\"round\"/>",
                points(places), colour);
    }

    private static String points(List<Place> places) {
        return places.stream()
                .map(place -> String.format(Locale.ROOT, "%.1f,%.1f", place.x(), place.y()))
                .collect(Collectors.joining(" "));
    }

    void text(Place at, Anchor anchor, double size, String colour, String text) {
        write(at, anchor, size, colour, "", text);
    }

    void bold(Place at, double size, String text) {
        write(at, Anchor.START, size, INK, " font-weight=\"bold\"", text);
    }

    private void write(Place at, Anchor anchor, double size, String colour, String style, String text) {
        add(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%.0f\" fill=\"%s\"%s>%s</text>",
                at.x(), at.y(), anchor.name().toLowerCase(Locale.ROOT), size, colour, style, Markup.escaped(text));
    }

    private void add(String form, Object... values) {
        parts.append(String.format(Locale.ROOT, form, values)).append('\n');
    }

    /**
     * Returns the picture as an element of a page; as a file of its own it also needs the name space of SVG.
     *
     * @param title for readers who cannot see it
     */
    String picture(double width, double height, String title) {
        return String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" role=\"img\" aria-label=\"%s\" font-family=\"Helvetica, Arial,"
                        + " sans-serif\">%n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>%n%s</svg>",
                width,
                height,
                width,
                Markup.escaped(title),
                parts);
    }
}
