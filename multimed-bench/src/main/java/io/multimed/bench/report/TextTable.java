package io.multimed.bench.report;

import io.multimed.bench.measure.Operation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Runs of several systems as a table: medians with their spread, ratios pair by pair against the first system. */
public final class TextTable {
    private static final int LONGEST_BAR = 50;

    private TextTable() {}

    /** Returns lines, each ended by a line feed. Void runs are counted and left out. */
    public static String of(List<Run> runs) {
        Map<String, List<Run>> bySystem = new LinkedHashMap<>();
        runs.forEach(run ->
                bySystem.computeIfAbsent(run.system(), any -> new ArrayList<>()).add(run));
        if (bySystem.isEmpty()) {
            return "no runs\n";
        }
        Run some = runs.getFirst();
        List<Run> first = valid(bySystem.values().iterator().next());
        String firstName = bySystem.keySet().iterator().next();
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {
            "system",
            "runs",
            some.operations().substring(0, 5) + "./s",
            "(least-most)",
            "ratio",
            "(95%)",
            "p50",
            "p95",
            "p99",
            "short p99",
            "tx/s",
            "retries",
            "errors",
            "cores",
            "writes"
        });
        bySystem.forEach((name, all) -> rows.add(row(name, valid(all), all.size(), first)));
        StringBuilder text = new StringBuilder();
        text.append(aligned(rows));
        text.append(some.operations() + " a second; ratio: paired, against ")
                .append(firstName)
                .append("; in parentheses, where there are several pairs,\nthe ")
                .append(Statistics.BOUND)
                .append(";\n")
                .append(
                        "p50 to p99 in ms at the client, retries included (closed loop: latency is about clients / throughput,\n")
                .append("and not corrected for coordinated omission: a system that stalls is asked less meanwhile);\n")
                .append("short p99: of ")
                .append(some.shortOnes())
                .append("; tx/s: database transactions committed a second;\n")
                .append("retries: conflicts, a thousand ")
                .append(some.operations())
                .append("; errors: given up, the warm-up's too;\ncores: used by engines and middleware; writes: ")
                .append(some.operations())
                .append(" that are not read-only, %\n");
        return text.toString();
    }

    /** Returns median throughput as bars, a line for each system; empty without a valid run. */
    public static String bars(List<Run> runs) {
        Map<String, List<Run>> bySystem = new LinkedHashMap<>();
        valid(runs)
                .forEach(run -> bySystem.computeIfAbsent(run.system(), any -> new ArrayList<>())
                        .add(run));
        Map<String, Double> medians = new LinkedHashMap<>();
        bySystem.forEach((name, same) ->
                medians.put(name, medianOf(same, run -> run.measured().perSecond())));
        double most =
                medians.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
        int width = medians.keySet().stream().mapToInt(String::length).max().orElse(0);
        StringBuilder text = new StringBuilder();
        medians.forEach((name, median) -> text.append(name)
                .append(" ".repeat(width - name.length() + 2))
                .append("#".repeat((int) Math.round(LONGEST_BAR * median / Math.max(1, most))))
                .append(format(" %.1f %s/s\n", median, runs.getFirst().operations())));
        return text.toString();
    }

    /** Returns medians over the runs of each system, operation by operation. */
    public static String operations(List<Run> runs) {
        Set<String> systems = new LinkedHashSet<>();
        runs.forEach(run -> systems.add(run.system()));
        List<String[]> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("operation", "stated %"));
        systems.forEach(system -> head.addAll(List.of(system + " %", "p50", "p95", "p99", "max")));
        rows.add(head.toArray(String[]::new));
        List<Run> some = runs.stream().filter(Run::valid).toList();
        if (some.isEmpty()) {
            return "";
        }
        for (Operation operation : seen(some)) {
            List<String> row = new ArrayList<>();
            row.add(operation.name() + " " + operation.title());
            row.add(format("%.2f", operation.intended()));
            for (String system : systems) {
                List<Operation> same = some.stream()
                        .filter(run -> run.system().equals(system))
                        .flatMap(run -> run.measured().operations().stream())
                        .filter(other -> other.name().equals(operation.name()))
                        .toList();
                row.add(format("%.2f", medianOf(same, Operation::share)));
                row.add(format("%.1f", medianOf(same, o -> o.latency().p50())));
                row.add(format("%.1f", medianOf(same, o -> o.latency().p95())));
                row.add(format("%.1f", medianOf(same, o -> o.latency().p99())));
                row.add(format("%.0f", medianOf(same, o -> o.latency().max())));
            }
            rows.add(row.toArray(String[]::new));
        }
        return aligned(rows);
    }

    /** Returns the operations that occurred, or were intended to occur. */
    static List<Operation> seen(List<Run> runs) {
        Set<String> names = runs.stream()
                .flatMap(run -> run.measured().operations().stream())
                .filter(operation -> operation.intended() > 0 || operation.count() > 0)
                .map(Operation::name)
                .collect(Collectors.toSet());
        return runs.getFirst().measured().operations().stream()
                .filter(operation -> names.contains(operation.name()))
                .toList();
    }

    private static List<Run> valid(List<Run> runs) {
        return runs.stream().filter(Run::valid).toList();
    }

    private static String[] row(String name, List<Run> valid, int all, List<Run> first) {
        double[] throughputs =
                valid.stream().mapToDouble(run -> run.measured().perSecond()).toArray();
        double[] ratios = Statistics.ratios(valid, first);
        double least = java.util.Arrays.stream(throughputs).min().orElse(Double.NaN);
        double most = java.util.Arrays.stream(throughputs).max().orElse(Double.NaN);
        return new String[] {
            name,
            valid.size() == all ? Integer.toString(all) : valid.size() + " of " + all,
            format("%.1f", Statistics.median(throughputs)),
            format("(%.1f-%.1f)", least, most),
            format("%.2f", Statistics.median(ratios)),
            format("(%.2f)", Statistics.bound(ratios)),
            format("%.1f", medianOf(valid, run -> run.measured().all().p50())),
            format("%.1f", medianOf(valid, run -> run.measured().all().p95())),
            format("%.1f", medianOf(valid, run -> run.measured().all().p99())),
            format("%.1f", medianOf(valid, Run::shortP99)),
            format("%.1f", medianOf(valid, run -> run.measured().transactionsPerSecond())),
            format(
                    "%.1f",
                    medianOf(
                            valid,
                            run -> 1000.0
                                    * run.measured().retries()
                                    / run.measured().completed())),
            Long.toString(
                    valid.stream().mapToLong(run -> run.measured().failures()).sum()),
            format("%.2f", medianOf(valid, TextTable::cores)),
            format("%.1f", medianOf(valid, run -> 100 - run.measured().readShare()))
        };
    }

    /** Returns the number of busy processors, without the harness. */
    private static double cores(Run run) {
        return run.measured().systemCpuSeconds() / run.measured().seconds();
    }

    static <T> double medianOf(List<T> values, ToDoubleFunction<T> what) {
        return Statistics.median(values.stream().mapToDouble(what).toArray());
    }

    static String format(String form, Object... values) {
        for (Object value : values) {
            if (value instanceof Double number && number.isNaN()) {
                return "-";
            }
        }
        return String.format(Locale.ROOT, form, values);
    }

    /** Returns aligned rows: the first column to the left, the others to the right. */
    public static String aligned(List<String[]> rows) {
        return aligned(rows, 0);
    }

    /**
     * @param texts number of columns at the end that are aligned to the left, too
     */
    static String aligned(List<String[]> rows, int texts) {
        int columns = rows.getFirst().length;
        StringBuilder text = new StringBuilder();
        int[] widths = new int[columns];
        for (String[] row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                String padding = " ".repeat(widths[i] - row[i].length());
                boolean left = i == 0 || i >= columns - texts;
                line.append(i == 0 ? "" : "  ").append(left ? row[i] + padding : padding + row[i]);
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }
}
