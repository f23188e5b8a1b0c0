package io.multimed.bench.chart;

/** Text in HTML and SVG. */
public final class Markup {
    private Markup() {}

    public static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
