package io.multimed.bench.report;

import io.multimed.bench.BenchException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Results as one page that needs no other file. */
public final class HtmlReport {
    private static final String HEAD = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>%s</title>
            <style>body { font: 15px sans-serif; max-width: 1000px; margin: 2em auto; } pre { overflow-x: auto; }
            p { overflow-wrap: anywhere; } img { max-width: 100%; } th, td { padding: 0 1em 0 0;
            vertical-align: top; text-align: left; }</style></head><body>
            <h1>%s</h1>
            """;
    static final String TAIL = "</body></html>\n";

    private HtmlReport() {}

    /** @param runs of any benchmarks; those with the same parameters on the same machine are shown together */
    public static String of(List<Run> runs) throws BenchException {
        StringBuilder page = new StringBuilder(head("Multimed: benchmarks"));
        papers(page, runs);
        for (List<Run> sweep : Sweep.groups(runs)) {
            page.append("<h2>")
                    .append(escaped(sweep.getFirst().benchmark() + ", by number of "
                            + Sweep.axis(sweep).name()))
                    .append("</h2>\n")
                    .append(drawn(() -> Charts.sweep(sweep)))
                    .append("<pre>")
                    .append(escaped(Sweep.text(sweep)))
                    .append("</pre>\n");
        }
        for (List<Run> group : Sweep.points(runs)) {
            section(page, group);
        }
        return page.append(TAIL).toString();
    }

    private static void papers(StringBuilder page, List<Run> runs) {
        List<PaperTable.Row> rows = PaperTable.of(runs);
        if (rows.isEmpty()) {
            return;
        }
        page.append("<h2>The papers' figures</h2>\n<table>\n");
        cells(page, "th", List.of("Figure", "Shows", "The paper", "Measured"));
        rows.forEach(row -> cells(page, "td", List.of(row.figure(), row.shows(), row.stated(), row.measured())));
        page.append("</table>\n<p>").append(escaped(PaperTable.MACHINES)).append("</p>\n");
    }

    private static void cells(StringBuilder page, String tag, List<String> texts) {
        page.append("<tr>");
        texts.forEach(text -> page.append('<')
                .append(tag)
                .append('>')
                .append(escaped(text))
                .append("</")
                .append(tag)
                .append('>'));
        page.append("</tr>\n");
    }

    private static void section(StringBuilder page, List<Run> group) throws BenchException {
        Run some = group.getFirst();
        page.append("<h2>")
                .append(escaped(some.benchmark() + ", " + some.parameters().get("clients") + " clients"))
                .append("</h2>\n");
        Map<String, List<Run>> systems = new LinkedHashMap<>();
        group.stream()
                .filter(Run::valid)
                .forEach(run -> systems.computeIfAbsent(run.system(), any -> new ArrayList<>())
                        .add(run));
        if (systems.isEmpty()) {
            page.append("<p>No run is valid.</p>\n");
        } else {
            page.append(drawn(() -> Charts.figures(systems)
                    + Charts.throughput(systems)
                    + Charts.tail(systems)
                    + Charts.course(systems)
                    + InsideCharts.of(systems)));
        }
        page.append("<pre>")
                .append(escaped(String.join(
                        "\n",
                        FigureTable.of(group),
                        TextTable.of(group),
                        TextTable.operations(group),
                        InsideTable.of(group))))
                .append("</pre>\n");
        group.stream()
                .filter(run -> !run.valid())
                .forEach(run -> page.append("<p>Void: ")
                        .append(escaped(run.system() + ", run " + run.number() + ": " + reason(run)))
                        .append("</p>\n"));
        table(page, "Parameters", some.parameters());
        Map<String, String> descriptions = new LinkedHashMap<>();
        group.forEach(run -> descriptions.put(run.system(), run.description()));
        table(page, "Systems", descriptions);
        table(
                page,
                "Machine",
                Map.of(
                        "processor",
                                some.machine().processor() + ", "
                                        + some.machine().cores() + " cores",
                        "memory", (some.machine().memoryBytes() >> 20) + " MB",
                        "kernel", some.machine().kernel()));
        for (String system : descriptions.keySet()) {
            group.stream()
                    .filter(run -> run.system().equals(system))
                    .findFirst()
                    .ifPresent(run -> run.settings()
                            .forEach((node, settings) -> table(page, "Settings of " + system + ", " + node, settings)));
        }
    }

    static String head(String title) {
        return HEAD.replace("%s", escaped(title));
    }

    interface Drawing {
        String draw() throws BenchException;
    }

    /** A JDK without fonts, as in small containers, cannot draw; the figures are there all the same. */
    static String drawn(Drawing drawing) throws BenchException {
        try {
            return drawing.draw();
        } catch (RuntimeException | LinkageError | InternalError e) {
            return "<p>No charts: this Java cannot draw ("
                    + escaped(e.toString().lines().findFirst().orElse("")) + ").</p>\n";
        }
    }

    private static String reason(Run run) {
        if (run.interrupted()) {
            return "interrupted";
        }
        return run.failure().isEmpty()
                ? String.join(
                        "; ",
                        run.checks().stream()
                                .filter(check -> !check.contradiction().isEmpty())
                                .map(check -> check.invariant() + ": " + check.contradiction())
                                .toList())
                : run.failure();
    }

    private static void table(StringBuilder page, String title, Map<String, String> rows) {
        page.append("<details><summary>").append(escaped(title)).append("</summary><table>\n");
        rows.forEach((name, value) -> cells(page, "td", List.of(name, value)));
        page.append("</table></details>\n");
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
