package io.multimed.bench.report;

import io.multimed.bench.measure.ContextSwitches;
import io.multimed.bench.measure.Inside;
import io.multimed.bench.measure.Measured;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A table of each system's use of the machine by its processes, and of the waits of its engines' sessions: medians over valid
 * runs.
 */
public final class InsideTable {
    private static final int MOST_WAITS = 4;
    private static final double KB = 1e3;
    private static final double MB = 1e6;
    /** Least average number of sessions; less is noise. */
    private static final double SELDOM = 0.005;

    private InsideTable() {}

    /** Returns lines, each ended by a line feed; empty without a valid run. */
    public static String of(List<Run> runs) {
        List<Run> valid = runs.stream().filter(Run::valid).toList();
        if (valid.isEmpty()) {
            return "";
        }
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {
            "inside",
            "cores",
            "MB",
            "switches/tx",
            "(forced)",
            "WAL kB/tx",
            "lag p99",
            "(most)",
            "sessions by what they wait for"
        });
        StringBuilder waits = new StringBuilder();
        for (String system : valid.stream().map(Run::system).distinct().toList()) {
            List<Measured> same = measured(Sweep.of(valid, system));
            processes(same).forEach(process -> rows.add(row(system, process, same)));
            waits.append(waits(system, same));
        }
        return TextTable.aligned(rows, 1)
                + "cores: used; MB: memory, what several share divided among them, and files in memory; switches/tx: context\n"
                + "switches a database transaction, forced ones in parentheses; WAL: of the Master, reads counted as transactions\n"
                + "too; lag: ms since the oldest commit was received that a Satellite had not applied, looked at 4 times a\n"
                + "second and exact to Multimed's beat of 50 ms; sessions: at work, on the average, by what PostgreSQL says that\n"
                + "they wait for (looking takes a core itself: on few of them less is seen running than runs)\n"
                + waits;
    }

    static List<Measured> measured(List<Run> runs) {
        return runs.stream().map(Run::measured).toList();
    }

    /** Returns the observed engines and all processes; the harness last. */
    static Set<String> processes(List<Measured> same) {
        Set<String> all = new TreeSet<>(Comparator.comparing((String name) -> name.equals(Measured.LOAD_GENERATOR))
                .thenComparing(Comparator.naturalOrder()));
        same.forEach(measured -> all.addAll(measured.cpuSeconds().keySet()));
        return all;
    }

    private static String[] row(String system, String process, List<Measured> same) {
        Inside some = same.getFirst().inside();
        boolean master = process.equals(some.master());
        boolean engine = some.nodes().containsKey(process);
        boolean satellite = engine && !master;
        List<Measured> switched =
                same.stream().filter(one -> !one.contextSwitches().isEmpty()).toList();
        return new String[] {
            system + " " + process,
            TextTable.format(
                    "%.2f",
                    TextTable.medianOf(same, one -> one.cpuSeconds().getOrDefault(process, 0.0) / one.seconds())),
            TextTable.format("%.0f", TextTable.medianOf(same, one -> memory(one, process) / MB)),
            TextTable.format(
                    "%.1f",
                    TextTable.medianOf(switched, one -> switches(one, process).all() / one.transactions())),
            TextTable.format(
                    "(%.1f)",
                    TextTable.medianOf(switched, one -> switches(one, process).involuntary() / one.transactions())),
            master
                    ? TextTable.format(
                            "%.2f", TextTable.medianOf(same, one -> one.inside().walBytes() / KB / one.transactions()))
                    : "",
            satellite ? lag(same, process, Inside.Engine::lagMillisP99, "%.1f") : "",
            satellite ? lag(same, process, Inside.Engine::lagMillisMax, "(%.1f)") : "",
            engine ? top(sessions(same, process)) : ""
        };
    }

    private static String lag(
            List<Measured> same, String node, java.util.function.ToDoubleFunction<Inside.Engine> which, String form) {
        return TextTable.format(form, TextTable.medianOf(engines(same, node), which));
    }

    static double memory(Measured measured, String process) {
        Inside.Engine engine = measured.inside().nodes().get(process);
        return measured.memoryBytes().getOrDefault(process, 0L) + (engine == null ? 0 : engine.memoryDiskBytes());
    }

    private static ContextSwitches switches(Measured measured, String process) {
        return measured.contextSwitches().getOrDefault(process, new ContextSwitches(0, 0));
    }

    private static List<Inside.Engine> engines(List<Measured> same, String node) {
        return same.stream()
                .flatMap(one -> one.inside().nodes().entrySet().stream())
                .filter(engine -> engine.getKey().equals(node))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** Returns medians by the sessions' waits. */
    static Map<String, Double> sessions(List<Measured> same, String node) {
        List<Inside.Engine> engines = engines(same, node);
        Set<String> whats = engines.stream()
                .flatMap(engine -> engine.sessions().keySet().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        Map<String, Double> sessions = new TreeMap<>();
        whats.forEach(what -> sessions.put(
                what, TextTable.medianOf(engines, engine -> engine.sessions().getOrDefault(what, 0.0))));
        return sessions;
    }

    private static String top(Map<String, Double> sessions) {
        return sessions.entrySet().stream()
                .filter(waiting -> waiting.getValue() >= SELDOM)
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .limit(MOST_WAITS)
                .map(waiting -> TextTable.format("%.2f %s", waiting.getValue(), waiting.getKey()))
                .collect(Collectors.joining(", "));
    }

    private static String waits(String system, List<Measured> same) {
        if (same.stream().allMatch(one -> one.inside().waits().equals(Inside.Waits.NONE))) {
            return "";
        }
        List<Measured> waited =
                same.stream().filter(one -> one.inside().waits().reads() > 0).toList();
        return TextTable.format(
                "%s: of 1000 transactions %s waited for a fresh Satellite, %s ms on the average; %s until the Master showed"
                        + " what a Satellite had shown\n",
                system,
                TextTable.format(
                        "%.1f",
                        TextTable.medianOf(
                                same, one -> 1e3 * one.inside().waits().reads() / one.transactions())),
                TextTable.format(
                        "%.2f",
                        TextTable.medianOf(
                                waited,
                                one -> 1e3
                                        * one.inside().waits().seconds()
                                        / one.inside().waits().reads())),
                TextTable.format(
                        "%.1f",
                        TextTable.medianOf(
                                same, one -> 1e3 * one.inside().waits().visibility() / one.transactions())));
    }
}
