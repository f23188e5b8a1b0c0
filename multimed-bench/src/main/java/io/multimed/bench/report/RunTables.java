package io.multimed.bench.report;

import io.multimed.bench.measure.Latency;
import io.multimed.bench.measure.Measured;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Runs and their results as comma-separated values, for spreadsheets. Each run's own file has more. */
final class RunTables {
    private static final double MB = 1e6;

    private RunTables() {}

    /** Returns a line for each run, void ones included, with columns for the parameters that are numbers. */
    static String runs(List<Run> runs) {
        Set<String> numbers = numbers(runs);
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("benchmark", "system", "run", "started", "valid", "void because"));
        head.addAll(numbers);
        head.addAll(List.of(
                "warmup s",
                "measured s",
                "operations/s",
                "transactions/s",
                "p50 ms",
                "p95 ms",
                "p99 ms",
                "max ms",
                "short p50 ms",
                "short p99 ms",
                "retries",
                "errors",
                "empty searches",
                "cores used",
                "memory MB",
                "WAL MB"));
        rows.add(head);
        for (Run run : runs) {
            Measured measured = run.measured();
            List<String> row = new ArrayList<>(chosen(run, numbers));
            row.add(4, Boolean.toString(run.valid()));
            row.add(5, run.reason());
            Latency all = measured.all();
            row.add(Integer.toString(measured.warmupSeconds()));
            for (double value : new double[] {
                measured.seconds(),
                measured.perSecond(),
                measured.transactionsPerSecond(),
                all.p50(),
                all.p95(),
                all.p99(),
                all.max(),
                run.shortP99() > 0 ? measured.shortReads().p50() : Double.NaN,
                run.shortP99(),
                measured.retries(),
                measured.failures(),
                measured.emptySearches(),
                measured.systemCpuSeconds() / measured.seconds(),
                InsideTable.processes(List.of(measured)).stream()
                                .filter(process -> !process.equals(Measured.LOAD_GENERATOR))
                                .mapToDouble(process -> InsideTable.memory(measured, process))
                                .sum()
                        / MB,
                measured.inside().walBytes() / MB
            }) {
                row.add(Double.isFinite(value) ? String.format(Locale.ROOT, "%.2f", value) : "");
            }
            rows.add(row);
        }
        return text(rows);
    }

    private static List<String> chosen(Run run, Set<String> numbers) {
        List<String> row =
                new ArrayList<>(List.of(run.benchmark(), run.system(), Integer.toString(run.number()), run.started()));
        numbers.forEach(name -> row.add(run.parameters().getOrDefault(name, "")));
        return row;
    }

    /** Returns the parameters that are numbers in every run that has them. */
    private static Set<String> numbers(List<Run> runs) {
        Map<String, Boolean> all = new LinkedHashMap<>();
        runs.forEach(run -> run.parameters()
                .forEach((name, value) -> all.merge(name, value.matches("-?\\d+(\\.\\d+)?"), Boolean::logicalAnd)));
        return all.entrySet().stream()
                .filter(Map.Entry::getValue)
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Returns lines of fields, quoted where necessary (RFC 4180). */
    static String text(List<? extends List<String>> rows) {
        return rows.stream()
                .map(row -> row.stream().map(RunTables::field).collect(Collectors.joining(",")) + "\n")
                .collect(Collectors.joining());
    }

    private static String field(String text) {
        return text.matches("[^\",\\r\\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
