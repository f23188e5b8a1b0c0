package io.multimed.bench.report;

import io.multimed.bench.BenchException;
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
    public static Report of(List<Run> runs) throws BenchException {
        return of(runs, "");
    }

    /**
     * @param plan the planned experiments and those left out; empty if there was no plan
     */
    public static Report of(List<Run> runs, String plan) throws BenchException {
        return new HtmlReport(runs).report(plan);
    }

    private Report report(String plan) throws BenchException {
        Map<String, String> tables = new LinkedHashMap<>();
        tables.put("runs.csv", RunTables.runs(runs));
        tables.put("operations.csv", RunTables.operations(runs));
        tables.put("figures.csv", RunTables.figures(runs));
        whatThisIs(plan);
        headline(tables);
        targets(tables);
        papers(tables);
        Set<Run> onCurves = new LinkedHashSet<>();
        Set<Run> atAGlance = new LinkedHashSet<>();
        new Headline(runs, places)
                .mixes()
                .values()
                .forEach(systems -> systems.values().forEach(atAGlance::addAll));
        for (List<Run> sweep : Sweep.groups(runs)) {
            sweep(sweep);
            onCurves.addAll(sweep);
        }
        for (List<Run> point : Sweep.points(runs)) {
            section(point, onCurves.contains(point.getFirst()), point.stream().anyMatch(atAGlance::contains));
        }
        if (!common.settings().isEmpty()) {
            page.heading("Settings of PostgreSQL");
        }
        common.settings().forEach((node, settings) -> page.folded(node, settings));
        tables.values().removeIf(String::isEmpty);
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
        page.table(systems);
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

    private void headline(Map<String, String> tables) throws BenchException {
        Headline headline = new Headline(runs, places);
        List<Headline.Table> all = headline.tables();
        if (all.isEmpty()) {
            return;
        }
        page.heading("At a glance");
        for (Headline.Table table : all) {
            page.paragraph(table.title() + ":");
            page.table(table.rows());
            tables.put(table.file() + ".csv", RunTables.text(table.rows()));
            tables.put(table.file() + ".md", table.markdown());
        }
        Map<String, Map<String, List<Run>>> mixes = headline.mixes();
        page.chart("throughput", () -> Charts.places("Throughput", mixes));
    }

    private void targets(Map<String, String> tables) {
        List<Targets.Row> rows = Targets.of(runs);
        if (rows.isEmpty()) {
            return;
        }
        List<List<String>> table = new ArrayList<>(List.of(
                List.of("Load", "Multimed against", "Target", "Measured", "Verdict", "Processor time, where missed")));
        rows.forEach(row ->
                table.add(List.of(row.load(), row.against(), row.target(), row.measured(), row.verdict(), row.time())));
        page.heading("Targets on two processors that all share");
        page.table(table);
        page.paragraph(Targets.TOLD);
        tables.put("targets.csv", RunTables.text(table));
    }

    private void papers(Map<String, String> tables) {
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
        page.paragraph("What the papers show too, and is not measured here:");
        page.table(gaps);
        gaps.stream()
                .skip(1)
                .forEach(row -> table.add(List.of(row.get(0), row.get(1), row.get(2), "no: " + row.get(3))));
        tables.put("papers.csv", RunTables.text(table));
    }

    private static List<String> cells(PaperTable.Row row) {
        return List.of(row.figure(), row.shows(), row.stated(), row.measured());
    }

    private void sweep(List<Run> sweep) throws BenchException {
        Run some = sweep.getFirst();
        String title = Places.benchmark(some) + ", " + Sweep.axis(sweep).by();
        page.heading(title);
        explain(some);
        page.chart(title, () -> Charts.sweep(Places.benchmark(some), sweep));
        page.text(Sweep.text(sweep));
        sweep.stream()
                .filter(run -> !run.valid())
                .forEach(run -> page.paragraph("Void, and not drawn: " + places.of(run) + ", " + run.system() + ", run "
                        + run.number() + "."));
    }

    /** Explains a benchmark at its first appearance. */
    private void explain(Run run) {
        String explained = Explanations.of(run);
        if (!explained.isEmpty() && told.add(explained)) {
            page.paragraph(explained);
        }
    }

    /**
     * @param onCurve whether its throughput has been drawn already, beside that of other places
     * @param atAGlance whether it has been drawn among the first charts
     */
    private void section(List<Run> group, boolean onCurve, boolean atAGlance) throws BenchException {
        Run some = group.getFirst();
        String title = places.whole(some);
        page.heading(title);
        explain(some);
        page.command("To measure this again:", Commands.of(group));
        Map<String, List<Run>> systems = new LinkedHashMap<>();
        group.stream()
                .filter(Run::valid)
                .forEach(run -> systems.computeIfAbsent(run.system(), any -> new ArrayList<>())
                        .add(run));
        if (systems.isEmpty()) {
            page.paragraph("No run is valid.");
        } else {
            page.chart(title + " figures", () -> Charts.figures(title, systems));
            page.chart(title + " p99", () -> Charts.tail(title, systems));
            // The tables contain the rest, too: a page of many places must stay small enough to be sent.
            if (!onCurve && systems.size() > 1) {
                if (!atAGlance) {
                    page.chart(title + " throughput", () -> Charts.throughput(title, systems));
                }
                page.chart(title + " course", () -> Charts.course(title, systems));
                InsideCharts.draw(page, title, systems);
            }
        }
        group.stream()
                .filter(run -> !run.valid())
                .forEach(
                        run -> page.paragraph("Void: " + run.system() + ", run " + run.number() + ": " + run.reason()));
        page.text(String.join("\n", FigureTable.of(group), TextTable.of(group)));
        page.folded("By operation", TextTable.operations(group));
        page.folded("Inside the systems", InsideTable.of(group));
        page.folded("Parameters", common.ownParameters(some));
        Map<String, Map<String, String>> settings = new TreeMap<>();
        group.forEach(run -> settings.putAll(common.ownSettings(run)));
        settings.forEach((node, own) -> page.folded("Settings of " + node + ", beside the common ones", own));
    }
}
