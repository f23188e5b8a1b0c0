package io.multimed.bench.report;

import io.multimed.bench.measure.Measured;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Multimed's targets on two processors that all programs share, load generator included, and the distance from each. */
final class Targets {
    /** Explanation of the table, for readers. */
    static final String TOLD = "A ratio counts as met when the median of its pairs reaches the target, and their "
            + Statistics.BOUND + " is not more than 0.05 below it; of fewer than five pairs nothing counts. Where it"
            + " is missed, processor time: of each process for one operation, in us, and of how many cores all of them together"
            + " kept busy.";

    private static final String MULTIMED = "multimed";
    private static final String ONE = "standalone";
    private static final String TUNED = "standalone-tuned";
    private static final String BROWSING = "tpcw browsing";
    private static final String MANY = "1000";
    /** Amount by which the lower bound may miss a target. */
    private static final double SPARE = 0.05;

    private static final double MICROS = 1e6;

    /**
     * A target.
     *
     * @param load in words
     * @param at the runs of every system to which it applies
     * @param less whether less of the value is better, so that its ratio is inverted
     */
    private record Target(
            String load, Predicate<Run> at, String against, double least, boolean less, ToDoubleFunction<Run> value) {}

    private static final List<Target> ALL = all();

    private Targets() {}

    /**
     * A target beside the measured value; {@code not run} without one.
     *
     * @param time processor time of both systems, where the target is missed; otherwise empty
     */
    record Row(String load, String against, String target, String measured, String verdict, String time) {}

    private static List<Target> all() {
        List<Target> all = new ArrayList<>();
        for (String clients : List.of("64", "400")) {
            mix(all, BROWSING, clients, 3, 1);
            mix(all, "tpcw shopping", clients, 2, 1);
            mix(all, "tpcw ordering", clients, 0.95, 0.95);
        }
        mix(all, BROWSING, MANY, 2, 2);
        Predicate<Run> heavy = run -> run.benchmark().equals("tpcw load interaction")
                && !run.parameters().getOrDefault("heavy clients", "0").equals("0");
        for (String against : List.of(ONE, TUNED)) {
            all.add(new Target(
                    "p99 of short interactions beside heavy ones",
                    heavy,
                    against,
                    against.equals(ONE) ? 3 : 1,
                    true,
                    run -> run.measured().shortReads().p99()));
        }
        all.add(new Target(
                "tpcw ordering, 1 client, no Satellite",
                at("tpcw ordering", "1").and(has("satellites", "0")),
                ONE,
                0.95,
                false,
                Targets::throughput));
        return List.copyOf(all);
    }

    private static void mix(List<Target> all, String benchmark, String clients, double ofOne, double ofTuned) {
        Predicate<Run> at = at(benchmark, clients).and(has("ebs", "100"));
        String load = benchmark + ", " + clients + " clients, 100 EBs";
        all.add(new Target(load, at, ONE, ofOne, false, Targets::throughput));
        all.add(new Target(load, at, TUNED, ofTuned, false, Targets::throughput));
    }

    private static double throughput(Run run) {
        return run.measured().perSecond();
    }

    private static Predicate<Run> at(String benchmark, String clients) {
        return has("clients", clients).and(run -> run.benchmark().equals(benchmark));
    }

    private static Predicate<Run> has(String parameter, String value) {
        return run -> value.equals(run.parameters().get(parameter));
    }

    /** Returns the targets; empty if there is no run for any of them. */
    static List<Row> of(List<Run> all) {
        List<Run> runs = all.stream()
                .filter(has("processors", "2"))
                .filter(run -> run.parameters().getOrDefault("cores", "").startsWith("all"))
                .toList();
        List<Row> rows = new ArrayList<>();
        boolean some = false;
        for (Target target : ALL) {
            List<Row> own = rows(target, runs);
            some |= !own.isEmpty();
            rows.addAll(
                    own.isEmpty()
                            ? List.of(row(target.load(), target.against(), target.least(), new double[0], ""))
                            : own);
        }
        List<Row> best = ownBest(runs);
        rows.addAll(best);
        return some || !best.isEmpty() ? rows : List.of();
    }

    private static List<Row> rows(Target target, List<Run> runs) {
        List<Row> rows = new ArrayList<>();
        for (List<Run> point : Sweep.points(runs.stream().filter(target.at()).toList())) {
            List<Run> ours = Sweep.of(point, MULTIMED);
            List<Run> theirs = Sweep.of(point, target.against());
            double[] ratios = target.less()
                    ? Statistics.ratios(theirs, ours, target.value())
                    : Statistics.ratios(ours, theirs, target.value());
            if (ratios.length > 0) {
                rows.add(row(
                        heavy(target.load(), point.getFirst()),
                        target.against(),
                        target.least(),
                        ratios,
                        time(MULTIMED, ours) + "; " + time(target.against(), theirs)));
            }
        }
        return rows;
    }

    private static String heavy(String load, Run some) {
        String heavy = some.parameters().get("heavy clients");
        return heavy == null ? load : load + ", " + heavy + " heavy clients";
    }

    /** Compares Multimed's throughput with many clients with its throughput at its own best number of clients. */
    private static List<Row> ownBest(List<Run> runs) {
        List<Row> rows = new ArrayList<>();
        List<Run> own = runs.stream()
                .filter(run -> run.valid()
                        && run.benchmark().equals(BROWSING)
                        && run.system().equals(MULTIMED))
                .toList();
        for (List<Run> curve : Sweep.groups(own)) {
            List<Run> many = curve.stream().filter(has("clients", MANY)).toList();
            Sweep.points(curve).stream()
                    .filter(point -> !has("clients", MANY).test(point.getFirst()))
                    .max(Comparator.comparingDouble(point -> TextTable.medianOf(point, Targets::throughput)))
                    .ifPresent(best -> {
                        double[] ratios = Statistics.ratios(many, best);
                        if (ratios.length > 0) {
                            String time = time(clients(many), many) + "; " + time(clients(best), best);
                            rows.add(
                                    row(BROWSING + ", " + MANY + " clients", "Multimed's own best", 0.9, ratios, time));
                        }
                    });
        }
        return rows;
    }

    private static String clients(List<Run> point) {
        return point.getFirst().parameters().get("clients") + " clients";
    }

    /**
     * Returns the processor time of one operation, by process. The load generator's share is included, since the processes
     * beside it lack it.
     */
    private static String time(String whose, List<Run> runs) {
        List<Measured> measured = runs.stream()
                .filter(Run::valid)
                .map(Run::measured)
                .filter(one -> one.completed() > 0)
                .toList();
        return whose + ": "
                + InsideTable.processes(measured).stream()
                        .map(process -> process + " "
                                + TextTable.format(
                                        "%.0f",
                                        TextTable.medianOf(
                                                measured,
                                                one -> one.cpuSeconds().getOrDefault(process, 0.0)
                                                        * MICROS
                                                        / one.completed())))
                        .collect(Collectors.joining(", "))
                + TextTable.format(" (%.2f cores)", TextTable.medianOf(measured, Targets::cores));
    }

    private static double cores(Measured measured) {
        return measured.cpuSeconds().values().stream().mapToDouble(used -> used).sum() / measured.seconds();
    }

    /**
     * @param time processor time, shown if the target is missed
     */
    private static Row row(String load, String against, double least, double[] ratios, String time) {
        String target = TextTable.format("%.2f", least);
        if (ratios.length == 0) {
            return new Row(load, against, target, "", "not run", "");
        }
        double median = Statistics.median(ratios);
        double bound = Statistics.bound(ratios);
        String measured = TextTable.format("%.2f", median)
                + (Double.isNaN(bound) ? "" : TextTable.format(" (%.2f)", bound)) + ", " + ratios.length
                + (ratios.length == 1 ? " pair" : " pairs");
        return new Row(
                load,
                against,
                target,
                measured,
                verdict(ratios.length, median, bound, least),
                median < least ? time : "");
    }

    private static String verdict(int pairs, double median, double bound, double least) {
        String missed = TextTable.format("%.2f short", least - median);
        if (pairs < Statistics.FEWEST) {
            return "too few pairs" + (median < least ? ", " + missed : "");
        }
        if (median < least) {
            return missed;
        }
        return bound < least - SPARE ? "not sure" : "met";
    }
}
