package io.multimed.bench.report;

import io.multimed.bench.measure.ContextSwitches;
import io.multimed.bench.measure.Inside;
import io.multimed.bench.measure.Measured;
import io.multimed.bench.measure.Operation;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tables of runs under the same conditions: throughput and latencies, operations, figures of experiments, the inside of the
 * systems. Each value is the median over the valid runs of a system.
 */
public final class RunTables {
    private static final int MOST_WAITS = 4;
    private static final double KB = 1e3;
    private static final double MB = 1e6;
    /** Least average number of sessions; less is noise. */
    private static final double SELDOM = 0.005;

    /** The columns of a run behind its throughput and its ratio. */
    private static final List<Column<Run>> OF_RUNS = List.of(
            new Column<>("p50", "%.1f", run -> run.measured().all().p50()),
            new Column<>("p95", "%.1f", run -> run.measured().all().p95()),
            new Column<>("p99", "%.1f", run -> run.measured().all().p99()),
            new Column<>("short p99", "%.1f", Run::shortP99),
            new Column<>("tx/s", "%.1f", run -> run.measured().transactionsPerSecond()),
            new Column<>(
                    "retries",
                    "%.1f",
                    run -> 1000.0 * run.measured().retries() / run.measured().completed()));

    private static final List<Column<Run>> OF_MACHINE = List.of(
            new Column<>("cores", "%.2f", RunTables::cores),
            new Column<>("writes", "%.1f", run -> 100 - run.measured().readShare()));

    private static final List<Column<Operation>> OF_OPERATIONS = List.of(
            new Column<>(" %", "%.2f", Operation::share),
            new Column<>("p50", "%.1f", operation -> operation.latency().p50()),
            new Column<>("p95", "%.1f", operation -> operation.latency().p95()),
            new Column<>("p99", "%.1f", operation -> operation.latency().p99()),
            new Column<>("max", "%.0f", operation -> operation.latency().max()));

    private RunTables() {}

    /** Returns a row for each system, with ratios pair by pair against the first one. Void runs are counted and left out. */
    public static String systems(List<Run> runs) {
        Map<String, List<Run>> systems = Runs.bySystem(runs);
        Run some = runs.getFirst();
        List<Run> first = systems.values().iterator().next();
        ReportTable.Builder table = new ReportTable.Builder(joined(
                Stream.of(
                        "system", "runs", some.operations().substring(0, 5) + "./s", "(least-most)", "ratio", "(95%)"),
                OF_RUNS.stream().map(Column::head),
                Stream.of("errors"),
                OF_MACHINE.stream().map(Column::head)));
        systems.forEach((name, all) -> {
            List<Run> valid = Runs.valid(all);
            Statistics.Spread spread = Statistics.spread(valid, Run::perSecond);
            double[] ratios = Statistics.ratios(valid, first);
            table.row(joined(
                    Stream.of(
                            name,
                            counted(all),
                            ReportTable.format("%.1f", spread.median()),
                            ReportTable.format("(%.1f-%.1f)", spread.least(), spread.most()),
                            ReportTable.format("%.2f", Statistics.median(ratios)),
                            ReportTable.format("(%.2f)", Statistics.bound(ratios))),
                    OF_RUNS.stream().map(column -> column.median(valid)),
                    Stream.of(Long.toString(valid.stream()
                            .mapToLong(run -> run.measured().failures())
                            .sum())),
                    OF_MACHINE.stream().map(column -> column.median(valid))));
        });
        return table.table().text()
                + """
                %1$s a second; ratio: paired, against %2$s; in parentheses, where there are several pairs,
                the %3$s;
                p50 to p99 in ms at the client, retries included (closed loop: latency is about clients / throughput,
                and not corrected for coordinated omission: a system that stalls is asked less meanwhile);
                short p99: of %4$s; tx/s: database transactions committed a second;
                retries: conflicts, a thousand %1$s; errors: given up, the warm-up's too;
                cores: used by engines and middleware; writes: %1$s that are not read-only, %%
                """.formatted(
                        some.operations(), systems.keySet().iterator().next(), Statistics.BOUND, some.shortOnes());
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // The array is only read here.
    private static Stream<String> joined(Stream<String>... cells) {
        return Arrays.stream(cells).flatMap(part -> part);
    }

    /** Returns the number of valid runs, and that of all if it is greater. */
    static String counted(List<Run> all) {
        int valid = Runs.valid(all).size();
        return valid + (valid == all.size() ? "" : " of " + all.size());
    }

    /** Returns the number of busy processors, without the harness. */
    private static double cores(Run run) {
        return run.measured().systemCpuSeconds() / run.measured().seconds();
    }

    /** Returns a row for each operation that occurred, or was intended to occur. */
    public static String operations(List<Run> runs) {
        Map<String, List<Run>> systems = Runs.bySystem(Runs.valid(runs));
        Map<String, Operation> seen = new LinkedHashMap<>();
        systems.values().stream()
                .flatMap(List::stream)
                .flatMap(run -> run.measured().operations().stream())
                .filter(operation -> operation.intended() > 0 || operation.count() > 0)
                .forEach(operation -> seen.putIfAbsent(operation.name(), operation));
        ReportTable.Builder table = new ReportTable.Builder(joined(
                Stream.of("operation", "stated %"),
                systems.keySet().stream()
                        .flatMap(system -> OF_OPERATIONS.stream()
                                .map(column -> (column.head().startsWith(" ") ? system : "") + column.head()))));
        seen.values()
                .forEach(operation -> table.row(joined(
                        Stream.of(
                                operation.name() + " " + operation.title(),
                                ReportTable.format("%.2f", operation.intended())),
                        systems.values().stream().flatMap(same -> {
                            List<Operation> own = same.stream()
                                    .flatMap(run -> run.measured().operations().stream())
                                    .filter(other -> other.name().equals(operation.name()))
                                    .toList();
                            return OF_OPERATIONS.stream().map(column -> column.median(own));
                        }))));
        return table.table().text();
    }

    /** Returns a row for each figure beyond throughput and latency; empty without figures. */
    public static String figures(List<Run> runs) {
        Map<String, List<Run>> systems = Runs.bySystem(runs);
        ReportTable.Builder table =
                new ReportTable.Builder(joined(Stream.of("found out", "unit"), systems.keySet().stream()));
        Runs.figures(runs)
                .forEach((name, figure) -> table.row(joined(
                        Stream.of(name, figure.unit()),
                        systems.values().stream()
                                .map(same -> ReportTable.format("%.3f", Statistics.median(values(same, name)))
                                        + againstFirst(systems, same, name)))));
        return table.table().text();
    }

    private static double[] values(List<Run> same, String figure) {
        return Runs.valid(same).stream()
                .mapToDouble(run -> run.figure(figure))
                .filter(value -> !Double.isNaN(value))
                .toArray();
    }

    /** Returns the ratio to the first system that has the figure, pair by pair; empty where there is none. */
    private static String againstFirst(Map<String, List<Run>> systems, List<Run> same, String figure) {
        List<List<Run>> having = systems.values().stream()
                .filter(runs -> values(runs, figure).length > 0)
                .toList();
        if (!having.contains(same) || having.getFirst().equals(same)) {
            return "";
        }
        double[] ratios = Statistics.ratios(same, having.getFirst(), run -> run.figure(figure));
        return ratios.length == 0 ? "" : ReportTable.format(" (x %.2f)", Statistics.median(ratios));
    }

    /** Returns the use of the machine by each process, and the waits of the engines' sessions; empty without a valid run. */
    public static String inside(List<Run> runs) {
        ReportTable.Builder table = new ReportTable.Builder(Stream.of(
                "inside",
                "cores",
                "MB",
                "switches/tx",
                "(forced)",
                "WAL kB/tx",
                "lag p99",
                "(most)",
                "sessions by what they wait for"));
        StringBuilder waits = new StringBuilder();
        Runs.bySystem(Runs.valid(runs)).forEach((system, same) -> {
            processes(same).forEach(process -> table.row(process(system, process, same)));
            waits.append(waits(system, same));
        });
        return table.table().isEmpty() ? "" : table.table().text(1) + """
                cores: used; MB: memory, what several share divided among them, and files in memory; switches/tx: context
                switches a database transaction, forced ones in parentheses; WAL: of the Master, reads counted as transactions
                too; lag: ms since the oldest commit was received that a Satellite had not applied, looked at 4 times a
                second and exact to Multimed's beat of 50 ms; sessions: at work, on the average, by what engines say that
                they wait for (looking takes a core itself: on few of them less is seen running than runs)
                """ + waits;
    }

    /** Returns the observed engines and all processes; the harness last. */
    private static Set<String> processes(List<Run> same) {
        Set<String> all = new TreeSet<>(Comparator.comparing((String name) -> name.equals(Measured.LOAD_GENERATOR))
                .thenComparing(Comparator.naturalOrder()));
        same.forEach(run -> all.addAll(run.measured().cpuSeconds().keySet()));
        return all;
    }

    private static Stream<String> process(String system, String process, List<Run> same) {
        List<Inside.Engine> engines = same.stream()
                .flatMap(
                        run -> Stream.ofNullable(run.measured().inside().nodes().get(process)))
                .toList();
        boolean master = process.equals(same.getFirst().measured().inside().master());
        boolean satellite = !engines.isEmpty() && !master;
        List<Run> switched = same.stream()
                .filter(run -> !run.measured().contextSwitches().isEmpty())
                .toList();
        return Stream.of(
                system + " " + process,
                median("%.2f", same, one -> one.cpuSeconds().getOrDefault(process, 0.0) / one.seconds()),
                median("%.0f", same, one -> memory(one, process) / MB),
                median("%.1f", switched, one -> switches(one, process).all() / one.transactions()),
                median("(%.1f)", switched, one -> switches(one, process).involuntary() / one.transactions()),
                master ? median("%.2f", same, one -> one.inside().walBytes() / KB / one.transactions()) : "",
                satellite ? new Column<>("", "%.1f", Inside.Engine::lagMillisP99).median(engines) : "",
                satellite ? new Column<>("", "(%.1f)", Inside.Engine::lagMillisMax).median(engines) : "",
                waited(engines));
    }

    private static String median(String form, List<Run> same, ToDoubleFunction<Measured> value) {
        return new Column<Run>("", form, run -> value.applyAsDouble(run.measured())).median(same);
    }

    private static double memory(Measured measured, String process) {
        Inside.Engine engine = measured.inside().nodes().get(process);
        return measured.memoryBytes().getOrDefault(process, 0L) + (engine == null ? 0 : engine.memoryDiskBytes());
    }

    private static ContextSwitches switches(Measured measured, String process) {
        return measured.contextSwitches().getOrDefault(process, new ContextSwitches(0, 0));
    }

    /** Returns the most frequent waits of an engine's sessions. */
    private static String waited(List<Inside.Engine> engines) {
        return engines.stream()
                .flatMap(engine -> engine.sessions().keySet().stream())
                .distinct()
                .sorted()
                .map(what -> Map.entry(
                        what,
                        Statistics.median(engines.stream()
                                .mapToDouble(engine -> engine.sessions().getOrDefault(what, 0.0))
                                .toArray())))
                .filter(waiting -> waiting.getValue() >= SELDOM)
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .limit(MOST_WAITS)
                .map(waiting -> ReportTable.format("%.2f %s", waiting.getValue(), waiting.getKey()))
                .collect(Collectors.joining(", "));
    }

    private static String waits(String system, List<Run> same) {
        if (same.stream().allMatch(run -> run.measured().inside().waits().equals(Inside.Waits.NONE))) {
            return "";
        }
        List<Run> waited = same.stream()
                .filter(run -> run.measured().inside().waits().reads() > 0)
                .toList();
        return "%s: of 1000 transactions %s waited for a fresh Satellite, %s ms on the average; %s until the Master showed what a Satellite had shown\n"
                .formatted(
                        system,
                        median("%.1f", same, one -> 1e3 * one.inside().waits().reads() / one.transactions()),
                        median(
                                "%.2f",
                                waited,
                                one -> 1e3
                                        * one.inside().waits().seconds()
                                        / one.inside().waits().reads()),
                        median("%.1f", same, one -> 1e3 * one.inside().waits().visibility() / one.transactions()));
    }
}
