package io.multimed.bench.report;

import io.multimed.bench.measure.Machine;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Results as one page that needs no other file, with its pictures and tables. */
public final class HtmlReport {
    private final List<Run> runs;
    private final Places places;
    private final Common common;
    /** Explanations that the page already contains, since each appears once. */
    private final Set<String> told = new LinkedHashSet<>();

    private final Page page = new Page("Multimed: benchmarks");

    private HtmlReport(List<Run> runs) {
        this.runs = Places.sorted(
                runs.stream().filter(run -> !superseded(run, runs)).toList());
        this.places = new Places(this.runs);
        this.common = new Common(this.runs);
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
    public static ReportFiles of(List<Run> runs) {
        return of(runs, "");
    }

    /**
     * @param plan the planned experiments and those left out; empty if there was no plan
     */
    public static ReportFiles of(List<Run> runs, String plan) {
        return new HtmlReport(runs).report(plan);
    }

    private ReportFiles report(String plan) {
        Headline headline = new Headline(runs, places);
        Map<String, String> tables = new LinkedHashMap<>();
        tables.put("runs.csv", RunTables.runs(runs));
        tables.put("medians.csv", RunTables.text(headline.medians()));
        whatThisIs(plan);
        headline(headline);
        Sweep.groups(runs).forEach(this::sweep);
        List<List<Run>> points = Sweep.points(runs);
        points.stream().filter(HtmlReport::isExperiment).forEach(this::experiment);
        papers();
        page.heading("Every run");
        page.paragraph(
                "Each place with the command that measures it again, all numbers, and the work inside the systems.");
        points.forEach(this::place);
        if (!common.settings().isEmpty()) {
            page.heading("Settings of PostgreSQL");
        }
        common.settings().forEach((node, settings) -> page.folded(node, settings));
        return page.report(tables);
    }

    private void whatThisIs(String plan) {
        long bad = runs.stream().filter(run -> !run.valid()).count();
        page.paragraph(runs.size() + " runs" + (bad == 0 ? ", all of them valid" : ", of which " + bad + " void")
                + ": after each run the invariants of its database are checked, and one that contradicts itself, failed or"
                + " was interrupted counts for nothing. From "
                + runs.stream().map(Run::started).min(Comparator.naturalOrder()).orElse("") + " to "
                + runs.stream().map(Run::started).max(Comparator.naturalOrder()).orElse("") + ".");
        page.paragraph("Numbers are medians of so many runs as stand beside them, with the least and the most in"
                + " parentheses. Ratios are medians of pairs, runs of the same repetition, with the " + Statistics.BOUND
                + " in parentheses; of one pair there is none, and it shows a direction and no more.");
        Set<List<String>> machines = new LinkedHashSet<>();
        machines.add(List.of("machine", "cores", "memory", "kernel", "Java", "Multimed"));
        runs.forEach(run -> machines.add(machine(run.machine(), run.version())));
        page.contents();
        page.table(List.copyOf(machines));
        Map<String, Set<String>> descriptions = new LinkedHashMap<>();
        runs.forEach(run -> descriptions
                .computeIfAbsent(run.system(), any -> new LinkedHashSet<>())
                .add(run.description()));
        List<List<String>> systems = new ArrayList<>(List.of(List.of("system", "what it is")));
        descriptions.forEach((system, texts) -> systems.add(List.of(system, String.join("; or: ", texts))));
        page.fold("What the systems are");
        page.table(systems);
        page.endFold();
        page.folded("What all runs have in common", common.parameters());
        if (!plan.isBlank()) {
            page.heading("What was to be run, and what was left out");
            page.paragraph(
                    "The plan of bench all, and what became of it. Each line is a command that runs this part alone.");
            page.text(plan);
        }
    }

    private static List<String> machine(Machine machine, String version) {
        return List.of(
                machine.processor(),
                Integer.toString(machine.cores()),
                (machine.memoryBytes() >> 20) + " MB",
                machine.kernel(),
                machine.java(),
                version);
    }

    private void headline(Headline headline) {
        List<List<String>> medians = headline.medians();
        if (medians.size() == 1) {
            return;
        }
        page.heading("At a glance");
        for (Headline.Comparison comparison : headline.comparisons()) {
            explain(comparison.some());
            page.chart(comparison.title(), Charts.throughput(comparison));
        }
        page.fold("Medians of every system at every place");
        page.paragraph(
                "Times: Multimed's gain over that system, in pairs; inside a JVM, the replicas' over the engine alone. Bound:"
                        + " the " + Statistics.BOUND + ".");
        // The machine stands above.
        page.table(medians.stream().map(row -> row.subList(1, row.size())).toList());
        page.endFold();
    }

    private void papers() {
        List<PaperTable.Row> rows = PaperTable.of(runs);
        if (rows.isEmpty()) {
            return;
        }
        List<List<String>> table = new ArrayList<>(List.of(List.of("Figure", "Shows", "The paper", "Measured")));
        rows.forEach(row -> table.add(cells(row)));
        page.heading("The papers' figures");
        page.table(table);
        page.paragraph(PaperTable.MACHINES);
        List<List<String>> gaps = new ArrayList<>(List.of(List.of("Figure", "Shows", "The paper", "Why not")));
        PaperTable.missing(runs).forEach(row -> gaps.add(cells(row)));
        page.fold("Figures that were not measured");
        page.table(gaps);
        page.endFold();
    }

    private static List<String> cells(PaperTable.Row row) {
        return List.of(row.figure(), row.shows(), row.stated(), row.measured());
    }

    private void sweep(List<Run> sweep) {
        Run some = sweep.getFirst();
        String title = Places.title(some) + ", " + Sweep.axis(sweep).by();
        page.heading(title);
        explain(some);
        Charts.sweep(sweep).ifPresent(chart -> page.chart(title, chart));
        page.folded("Numbers", Sweep.text(sweep));
        sweep.stream()
                .filter(run -> !run.valid())
                .forEach(run -> page.paragraph("Void, and not drawn: " + places.of(run) + ", " + run.system() + ", run "
                        + run.number() + "."));
    }

    /** Whether a benchmark looks at one side of a system, whose figures say more than throughput. */
    private static boolean isExperiment(List<Run> point) {
        return Places.benchmark(point.getFirst()).equals(point.getFirst().benchmark())
                && point.stream().anyMatch(run -> run.valid() && !run.figures().isEmpty());
    }

    private void experiment(List<Run> point) {
        Run some = point.getFirst();
        String title = Places.title(some) + ", " + places.of(some);
        page.heading(title);
        explain(some);
        Charts.figures(title, systems(point)).ifPresent(chart -> page.chart(title, chart));
        page.text(FigureTable.of(point));
    }

    /** Returns the valid runs of each system. */
    private static Map<String, List<Run>> systems(List<Run> point) {
        Map<String, List<Run>> systems = new LinkedHashMap<>();
        point.stream()
                .filter(Run::valid)
                .forEach(run -> systems.computeIfAbsent(run.system(), any -> new ArrayList<>())
                        .add(run));
        return systems;
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
        page.command("To measure this again:", Commands.of(point));
        point.stream()
                .filter(run -> !run.valid())
                .forEach(
                        run -> page.paragraph("Void: " + run.system() + ", run " + run.number() + ": " + run.reason()));
        Map<String, List<Run>> systems = systems(point);
        if (!systems.isEmpty()) {
            Charts.course(Places.title(some) + ", " + places.of(some), systems)
                    .ifPresent(chart -> page.chart(places.whole(some) + " course", chart));
        }
        page.text(String.join("\n", FigureTable.of(point), TextTable.of(point)));
        page.folded("By operation", TextTable.operations(point));
        page.folded("Inside the systems", InsideTable.of(point));
        page.folded("Parameters", common.ownParameters(some));
        Map<String, Map<String, String>> settings = new TreeMap<>();
        point.forEach(run -> settings.putAll(common.ownSettings(run)));
        settings.forEach((node, own) -> page.folded("Settings of " + node + ", beside the common ones", own));
        page.endFold();
    }
}
