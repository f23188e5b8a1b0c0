package io.multimed.bench.report;

import io.multimed.bench.BenchException;
import java.io.IOException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.internal.chartpart.Chart;

/** A page that is written from top to bottom, with its pictures. Used by one thread. */
final class Page {
    private static final String HEAD = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>%s</title>
            <style>body { font: 15px sans-serif; max-width: 1100px; margin: 2em auto; }
            pre { overflow-x: auto; font-size: 12px; } nav { columns: 2; margin: 0 0 1em; } nav a { display: block; }
            p { overflow-wrap: anywhere; } img { max-width: 100%; } table { border-collapse: collapse; margin: 0 0 1em; }
            th, td { padding: 0.1em 1em 0.1em 0; vertical-align: top; text-align: left; overflow-wrap: anywhere; }
            tr { border-bottom: 1px solid #ddd; }</style></head><body>
            <h1>%s</h1>
            """;
    private static final String TAIL = "</body></html>\n";

    /** Placeholder for the contents, which cannot occur in text, since text is escaped. */
    private static final String CONTENTS = "<contents>";

    private final StringBuilder html;
    private final Map<String, String> contents = new LinkedHashMap<>();
    private final Map<String, byte[]> pictures = new LinkedHashMap<>();
    private boolean blind;

    Page(String title) {
        this.html = new StringBuilder(HEAD.replace("%s", escaped(title)));
    }

    /** Draws a chart, unless there is nothing to draw. */
    interface Drawing {
        Optional<? extends Chart<?, ?>> draw() throws BenchException;
    }

    void heading(String text) {
        String anchor = "part-" + (contents.size() + 1);
        contents.put(anchor, text);
        html.append("<h2 id=\"")
                .append(anchor)
                .append("\">")
                .append(escaped(text))
                .append("</h2>\n");
    }

    /** Marks the place of the list of all headings, including those that come later. */
    void contents() {
        html.append(CONTENTS);
    }

    private String listed() {
        StringBuilder list = new StringBuilder("<nav>\n");
        contents.forEach((anchor, text) -> list.append("<a href=\"#")
                .append(anchor)
                .append("\">")
                .append(escaped(text))
                .append("</a>\n"));
        return list.append("</nav>\n").toString();
    }

    void paragraph(String text) {
        tagged("p", text);
    }

    /** Adds a command that a reader may paste into a shell. */
    void command(String introduction, String command) {
        html.append("<p>")
                .append(escaped(introduction))
                .append(" <code>")
                .append(escaped(command))
                .append("</code></p>\n");
    }

    /** Adds preformatted text. */
    void text(String text) {
        if (!text.isBlank()) {
            tagged("pre", text);
        }
    }

    private void tagged(String tag, String text) {
        html.append('<')
                .append(tag)
                .append('>')
                .append(escaped(text))
                .append("</")
                .append(tag)
                .append(">\n");
    }

    /** @param rows the first one names the columns */
    void table(List<? extends List<String>> rows) {
        html.append("<table>\n");
        cells("th", rows.getFirst());
        rows.subList(1, rows.size()).forEach(row -> cells("td", row));
        html.append("</table>\n");
    }

    private void cells(String tag, List<String> texts) {
        html.append("<tr>");
        texts.forEach(text -> html.append('<')
                .append(tag)
                .append('>')
                .append(escaped(text))
                .append("</")
                .append(tag)
                .append('>'));
        html.append("</tr>\n");
    }

    /** Adds a table that opens on request; nothing if there are no rows. */
    void folded(String title, Map<String, String> rows) {
        if (!rows.isEmpty()) {
            html.append("<details><summary>").append(escaped(title)).append("</summary><table>\n");
            rows.forEach((name, value) -> cells("td", List.of(name, value)));
            html.append("</table></details>\n");
        }
    }

    /** Adds text that opens on request. */
    void folded(String title, String text) {
        if (!text.isBlank()) {
            html.append("<details><summary>").append(escaped(title)).append("</summary>\n");
            text(text);
            html.append("</details>\n");
        }
    }

    /**
     * Draws a chart. A JDK without fonts, as in small containers, cannot draw; the numbers are on the page all the same.
     *
     * @param name of the picture; characters unsuitable for a file's name are replaced
     */
    void chart(String name, Drawing drawing) throws BenchException {
        try {
            Optional<? extends Chart<?, ?>> chart = drawing.draw();
            if (chart.isPresent()) {
                picture(file(name), chart.get());
            }
        } catch (RuntimeException | LinkageError | InternalError e) {
            if (!blind) {
                paragraph("No charts: this Java cannot draw ("
                        + e.toString().lines().findFirst().orElse("") + ").");
            }
            blind = true;
        }
    }

    private void picture(String name, Chart<?, ?> chart) throws BenchException {
        byte[] png;
        try {
            png = Picture.png(BitmapEncoder.getBufferedImage(chart));
        } catch (IOException e) {
            throw new BenchException("cannot draw '" + chart.getTitle() + "': " + e, e);
        }
        pictures.put(name, png);
        html.append("<img alt=\"")
                .append(escaped(chart.getTitle()))
                .append("\" src=\"data:image/png;base64,")
                .append(Base64.getEncoder().encodeToString(png))
                .append("\">\n");
    }

    /** Returns an unused name of lower-case letters, digits and hyphens. */
    private String file(String name) {
        String plain =
                name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
        String free = plain;
        for (int number = 2; pictures.containsKey(free); number++) {
            free = plain + "-" + number;
        }
        return free;
    }

    Report report(Map<String, String> tables) {
        return new Report((html + TAIL).replace(CONTENTS, listed()), pictures, tables);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
