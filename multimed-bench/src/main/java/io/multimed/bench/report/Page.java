package io.multimed.bench.report;

import io.multimed.bench.chart.Markup;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A page that is written from top to bottom, with its pictures, and that needs no other file. Used by one thread. */
final class Page {
    /** Placeholder for the contents, which cannot occur in text, since text is escaped. */
    private static final String CONTENTS = "<contents>";

    private final StringBuilder html = new StringBuilder();
    private final StringBuilder contents = new StringBuilder();

    Page(String title) {
        html.append("""
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
            <h1>%1$s</h1>
            """.formatted(Markup.escaped(title)));
    }

    private void add(String form, Object... texts) {
        Object[] escaped = new Object[texts.length];
        for (int i = 0; i < texts.length; i++) {
            escaped[i] = Markup.escaped(String.valueOf(texts[i]));
        }
        html.append(form.formatted(escaped)).append('\n');
    }

    void heading(String text) {
        int part = 1 + (int) contents.chars().filter(letter -> letter == '\n').count();
        contents.append("<a href=\"#part-%d\">%s</a>\n".formatted(part, Markup.escaped(text)));
        add("<h2 id=\"part-%s\">%s</h2>", part, text);
    }

    /** Marks the place of the list of all headings, including those that come later. */
    void contents() {
        html.append(CONTENTS);
    }

    void paragraph(String text) {
        add("<p>%s</p>", text);
    }

    /** Adds a command that a reader may paste into a shell. */
    void command(String introduction, String command) {
        add("<p>%s <code>%s</code></p>", introduction, command);
    }

    /** Adds preformatted text. */
    void text(String text) {
        if (!text.isBlank()) {
            add("<pre>%s</pre>", text);
        }
    }

    /** @param rows the first one names the columns */
    void table(List<List<String>> rows) {
        html.append("<div class=\"wide\"><table>\n");
        cells("th", rows.getFirst());
        rows.subList(1, rows.size()).forEach(row -> cells("td", row));
        html.append("</table></div>\n");
    }

    private void cells(String tag, List<String> texts) {
        html.append(texts.stream()
                .map(text -> "<%1$s>%2$s</%1$s>".formatted(tag, Markup.escaped(text)))
                .collect(Collectors.joining("", "<tr>", "</tr>\n")));
    }

    /** Adds names and values that open on request; nothing if there are none. */
    void folded(String title, Map<String, String> rows) {
        folded(
                title,
                rows.entrySet().stream()
                        .map(row -> row.getKey() + ": " + row.getValue())
                        .collect(Collectors.joining("\n")));
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
        add("<details><summary>%s</summary>", title);
    }

    /** Ends the part that was begun last. */
    void endFold() {
        html.append("</details>\n");
    }

    void chart(String svg) {
        html.append(svg).append('\n');
    }

    /** Returns the page's text. */
    String text() {
        return (html + "</body></html>\n").replace(CONTENTS, "<nav>\n" + contents + "</nav>\n");
    }
}
