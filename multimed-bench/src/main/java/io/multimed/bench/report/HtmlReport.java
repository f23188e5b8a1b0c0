package io.multimed.bench.report;

import io.multimed.bench.BenchException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Results as one page, with their pictures and tables. */
public final class HtmlReport {
    private final List<Run> runs;
    private final Places places;
    /** Texts that the page already contains, since each appears once. */
    private final Set<String> told = new HashSet<>();

    private final Page page = new Page("Multimed: benchmarks");

    private final ReportTable medians;

    private HtmlReport(List<Run> runs, String plan) {
        this.runs = Places.sorted(
                runs.stream().filter(run -> !superseded(run, runs)).toList());
        this.places = new Places(this.runs);
        Headline headline = new Headline(this.runs, places);
        this.medians = headline.medians();
        report(headline, plan);
    }

    /** Whether a run was interrupted and later repeated. */
    private static boolean superseded(Run run, List<Run> all) {
        return run.interrupted()
                && all.stream()
                        .anyMatch(other -> other.valid()
                                && other.version().equals(run.version())
                                && other.number() == run.number()
                                && other.system().equals(run.system())
                                && other.benchmark().equals(run.benchmark())
                                && Sweep.alike(other.parameters(), run.parameters()));
    }

    /** @param runs of any benchmarks; those with the same parameters on the same machine are shown together */
    public static HtmlReport of(List<Run> runs) {
        return of(runs, "");
    }

    /**
     * @param plan the planned experiments and those left out; empty if there was no plan
     */
    public static HtmlReport of(List<Run> runs, String plan) {
        return new HtmlReport(runs, plan);
    }

    private void report(Headline headline, String plan) {
        introduction(plan);
        headline(headline);
        Sweep.groups(runs).forEach(this::sweep);
        List<List<Run>> points = Sweep.points(runs);
        points.stream().filter(HtmlReport::isExperiment).forEach(this::experiment);
        papers();
        page.heading("Every run");
        page.paragraph(
                "Each place with the command that measures it again, all numbers, and the work inside the systems.");
        points.forEach(this::place);
    }

    /** Returns the page's text. */
    String page() {
        return page.text();
    }

    /**
     * Writes {@code report.html} and {@code medians.csv}.
     *
     * @return the page
     */
    public Path write(Path directory) throws BenchException {
        Path file = directory.resolve("report.html");
        try {
            Files.writeString(file, page());
            Files.writeString(directory.resolve("medians.csv"), medians.csv());
            return file;
        } catch (IOException e) {
            throw new BenchException("cannot write the report in " + directory + ": " + e, e);
        }
    }

    private void introduction(String plan) {
        int bad = runs.size() - Runs.valid(runs).size();
        List<String> started = runs.stream().map(Run::started).sorted().toList();
        page.paragraph(runs.size() + " runs" + (bad == 0 ? ", all of them valid" : ", of which " + bad + " void")
                + ": after each run the invariants of its database are checked, and one that contradicts itself, failed or"
                + " was interrupted counts for nothing. From " + started.getFirst() + " to " + started.getLast() + ".");
        page.paragraph("Numbers are medians of so many runs as stand beside them, with the least and the most in"
                + " parentheses. Ratios are medians of pairs, runs of the same repetition, with the " + Statistics.BOUND
                + " in parentheses; of one pair there is none, and it shows a direction and no more.");
        page.contents();
        page.table(Stream.concat(
                        Stream.of(List.of("machine", "cores", "memory", "kernel", "Java", "Multimed")),
                        runs.stream()
                                .map(run -> List.of(
                                        run.machine().processor(),
                                        Integer.toString(run.machine().cores()),
                                        (run.machine().memoryBytes() >> 20) + " MB",
                                        run.machine().kernel(),
                                        run.machine().java(),
                                        run.version()))
                                .distinct())
                .toList());
        page.folded("The systems", descriptions());
        if (!plan.isBlank()) {
            page.heading("What was to be run, and what was left out");
            page.paragraph(
                    "The plan of bench all, and what became of it. Each line is a command that runs this part alone.");
            page.text(plan);
        }
    }

    private String descriptions() {
        return Runs.bySystem(runs).entrySet().stream()
                .map(system -> system.getKey() + ": "
                        + system.getValue().stream()
                                .map(Run::description)
                                .distinct()
                                .collect(Collectors.joining("; or: ")))
                .collect(Collectors.joining("\n"));
    }

    private void headline(Headline headline) {
        if (medians.isEmpty()) {
            return;
        }
        page.heading("At a glance");
        for (Headline.Comparison comparison : headline.comparisons()) {
            explain(comparison.some());
            page.chart(Charts.throughput(comparison));
        }
        page.fold("Medians of every system at every place");
        page.paragraph(
                "Times: Multimed's gain over that system, in pairs; inside a JVM, the replicas' over the engine alone. Bound:"
                        + " the " + Statistics.BOUND + ".");
        // The machine stands above.
        page.table(
                medians.rows().stream().map(row -> row.subList(1, row.size())).toList());
        page.endFold();
    }

    private void papers() {
        List<PaperTable.Row> rows = PaperTable.of(runs);
        if (rows.isEmpty()) {
            return;
        }
        page.heading("The papers' figures");
        papers("Measured", rows);
        page.paragraph(PaperTable.MACHINES);
        page.fold("Figures that were not measured");
        papers("Why not", PaperTable.missing(runs));
        page.endFold();
    }

    private void papers(String last, List<PaperTable.Row> rows) {
        List<List<String>> table = new ArrayList<>(List.of(List.of("Figure", "Shows", "The paper", last)));
        rows.forEach(row -> table.add(row.cells()));
        page.table(table);
    }

    private void sweep(List<Run> sweep) {
        Run some = sweep.getFirst();
        String title = Places.title(some) + ", " + Sweep.axis(sweep).by();
        page.heading(title);
        explain(some);
        Charts.sweep(sweep).ifPresent(page::chart);
        page.folded("Numbers", Sweep.text(sweep));
        invalid(sweep)
                .forEach(run -> page.paragraph("Void, and not drawn: " + places.of(run) + ", " + run.system() + ", run "
                        + run.number() + "."));
    }

    private static Stream<Run> invalid(List<Run> runs) {
        return runs.stream().filter(run -> !run.valid());
    }

    /** Whether a benchmark looks at one side of a system, whose figures say more than throughput. */
    private static boolean isExperiment(List<Run> point) {
        return Places.engine(point.getFirst()).isEmpty() && !Runs.figures(point).isEmpty();
    }

    private void experiment(List<Run> point) {
        Run some = point.getFirst();
        String title = Places.title(some) + ", " + places.of(some);
        page.heading(title);
        explain(some);
        Charts.figures(title, Runs.bySystem(Runs.valid(point))).ifPresent(page::chart);
        page.text(RunTables.figures(point));
    }

    /** Explains a benchmark at its first appearance. */
    private void explain(Run run) {
        String explained = Explanations.of(run);
        if (!explained.isEmpty() && told.add(explained)) {
            page.paragraph(explained);
        }
    }

    private void place(List<Run> point) {
        Run some = point.getFirst();
        page.fold(places.whole(some));
        point.stream()
                .flatMap(run -> Stream.ofNullable(run.parameters().get(Run.COMMAND)))
                .distinct()
                .forEach(command -> page.command("To measure this again:", command));
        invalid(point)
                .forEach(
                        run -> page.paragraph("Void: " + run.system() + ", run " + run.number() + ": " + run.reason()));
        page.text(String.join("\n", RunTables.figures(point), RunTables.systems(point)));
        page.folded("By operation", RunTables.operations(point));
        page.folded("Inside the systems", RunTables.inside(point));
        page.folded("Parameters", some.parameters());
        point.forEach(run -> run.settings().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(node -> settings(run.system() + ", " + node.getKey(), node.getValue())));
        page.endFold();
    }

    /** Adds the settings of an engine of PostgreSQL where they first appear. */
    private void settings(String engine, Map<String, String> settings) {
        String text = settings.entrySet().stream()
                .sorted(Comparator.comparing(Map.Entry::getKey))
                .map(setting -> setting.getKey() + " = " + setting.getValue())
                .collect(Collectors.joining("\n"));
        if (told.add(engine + text)) {
            page.folded("Settings of " + engine + ", as long as no others follow", text);
        }
    }
}
