package io.multimed.bench.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A page that is written from top to bottom, with its pictures. Used by one thread. */
public final class Page {
    private static final String HEAD = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>%s</title>
            <style>
            body { font: 15px/1.5 Helvetica, Arial, sans-serif; color: #222; max-width: 920px; margin: 2em auto; padding: 0 1em; }
            h1 { font-size: 26px; } h2 { font-size: 20px; margin: 2em 0 0.5em; border-bottom: 2px solid #ddd; }
            nav { columns: 2; margin: 0 0 1em; } nav a { display: block; } a { color: #0057a3; }
            p { overflow-wrap: anywhere; } svg { display: block; max-width: 100%%; height: auto; margin: 0.5em 0; }
            code, pre { font-size: 12px; } pre { overflow-x: auto; background: #f7f7f7; padding: 0.5em; }
            .wide { overflow-x: auto; } table { border-collapse: collapse; margin: 0 0 1em; font-size: 13px; }
            th, td { padding: 0.25em 1em 0.25em 0; vertical-align: top; text-align: left; }
            th:first-child, td:first-child { min-width: 11em; }
            th { border-bottom: 2px solid #bbb; } tr { border-bottom: 1px solid #e5e5e5; }
            details { margin: 0.3em 0; } details details { margin-left: 1em; } summary { cursor: pointer; }
            </style></head><body>
            <h1>%s</h1>
            """.replace("%%", "%");
    private static final String TAIL = "</body></html>\n";

    /** Placeholder for the contents, which cannot occur in text, since text is escaped. */
    private static final String CONTENTS = "<contents>";

    private final StringBuilder html;
    private final Map<String, String> contents = new LinkedHashMap<>();
    private final Map<String, String> pictures = new LinkedHashMap<>();

    public Page(String title) {
        this.html = new StringBuilder(HEAD.replace("%s", escaped(title)));
    }

    public void heading(String text) {
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

    public void paragraph(String text) {
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
    public void text(String text) {
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
        html.append("<div class=\"wide\"><table>\n");
        cells("th", rows.getFirst());
        rows.subList(1, rows.size()).forEach(row -> cells("td", row));
        html.append("</table></div>\n");
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
            fold(title);
            html.append("<table>\n");
            rows.forEach((name, value) -> cells("td", List.of(name, value)));
            html.append("</table>\n");
            endFold();
        }
    }

    /** Adds text that opens on request. */
    void folded(String title, String text) {
        if (!text.isBlank()) {
            fold(title);
            text(text);
            endFold();
        }
    }

    /** Begins a part that opens on request. */
    void fold(String title) {
        html.append("<details><summary>").append(escaped(title)).append("</summary>\n");
    }

    /** Ends the part that was begun last. */
    void endFold() {
        html.append("</details>\n");
    }

    /**
     * Adds a chart.
     *
     * @param name of the picture; characters unsuitable for a file's name are replaced
     */
    public void chart(String name, String svg) {
        pictures.put(file(name), svg);
        html.append(svg).append('\n');
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

    public ReportFiles report(Map<String, String> tables) {
        return new ReportFiles((html + TAIL).replace(CONTENTS, listed()), pictures, tables);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
