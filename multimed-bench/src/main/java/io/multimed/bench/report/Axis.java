package io.multimed.bench.report;

import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * The parameter in which the runs of a curve differ, and the columns shown for each run.
 *
 * @param name of the parameter
 * @param label of the axis
 * @param bound the parameters that follow from it, itself included
 * @param subject the subject of the columns
 * @param columns the first one is drawn, and compared pair by pair
 * @param told the unit of the columns, for readers
 */
record Axis(String name, String label, Set<String> bound, String subject, List<Measure> columns, String told) {
    private static final List<Measure> THROUGHPUT = List.of(
            new Measure("", "", false, Run::perSecond),
            new Measure("p99", "ms", true, run -> run.measured().all().p99()));

    /**
     * A column of one system.
     *
     * @param less whether less is better, so that its ratio is inverted
     */
    record Measure(String head, String unit, boolean less, ToDoubleFunction<Run> value) {
        String median(List<Run> runs) {
            double median = Statistics.spread(runs, value).median();
            return ReportTable.format(Math.abs(median) < 1 ? "%.3f" : "%.1f", median);
        }
    }

    private static final List<Measure> SHORT_ONES = List.of(
            new Measure("p99", "ms", true, run -> run.measured().shortReads().p99()),
            new Measure("p95", "ms", true, run -> run.measured().shortReads().p95()),
            new Measure("p50", "ms", true, run -> run.measured().shortReads().p50()),
            new Measure("all/s", "", false, Run::perSecond));

    private static final List<Measure> COPY = List.of(
            figure("copy, idle,", "s", "copied and caught up, idle"),
            figure("idle MB/s", "", "copied a second, idle"),
            figure("loaded", "s", "copied and caught up, beside a load"),
            figure("loaded MB/s", "", "copied a second, beside a load"),
            figure("lost %", "", "interactions lost while copied"));

    private static final List<Measure> CATCH_UP = List.of(
            new Measure("rows applied", "1/s", false, run -> run.figure("rows applied while catching up")),
            figure("visible p50", "ms", "commit visible after, idle, p50"),
            figure("visible p99", "ms", "commit visible after, idle, p99"));

    private static final String LATENCIES = "latencies in ms";

    static final Axis PROCESSORS = new Axis(
            "processors", "logical processors", Set.of("processors", "cores"), "throughput", THROUGHPUT, LATENCIES);

    static final List<Axis> ALL = List.of(
            new Axis("clients", "clients", Set.of("clients"), "throughput", THROUGHPUT, LATENCIES),
            PROCESSORS,
            new Axis(
                    "heavy clients",
                    "heavy clients",
                    Set.of("heavy clients"),
                    "latency of short interactions",
                    SHORT_ONES,
                    LATENCIES + "; all/s: interactions, the heavy ones too"),
            new Axis(
                    "estimated MB",
                    "size of the database, estimated from its scale, MB",
                    Set.of("estimated MB", "ebs", "items"),
                    "time of a copy",
                    COPY,
                    "idle: beside nothing; loaded: beside purchases; both in s until the Satellite serves; lost: of the"
                            + " purchases' throughput meanwhile"),
            new Axis(
                    "unique indexes",
                    "unique indexes on each table beside the primary key",
                    Set.of("unique indexes"),
                    "rate of catching up",
                    CATCH_UP,
                    "rows applied while catching up; visible: ms from a single commit to its being seen on the copy"),
            // This axis comes behind the parameters that follow from it.
            new Axis(
                    "ebs",
                    "size of the database: emulated browsers of TPC-W, about 5 MB for each",
                    Set.of("ebs"),
                    "throughput",
                    THROUGHPUT,
                    LATENCIES),
            new Axis("satellites", "Satellites", Set.of("satellites"), "throughput", THROUGHPUT, LATENCIES));

    private static Measure figure(String head, String unit, String name) {
        return new Measure(head, unit, true, run -> run.figure(name));
    }

    /**
     * Whether a run belongs on the axis. A run that shares all processors with its clients does not belong on the one of
     * processors.
     */
    boolean may(Run run) {
        return !name.equals("processors")
                || !run.parameters().getOrDefault("cores", "").startsWith("all");
    }

    /** Returns the axis in words, as in {@code by number of clients}. */
    String by() {
        return "by " + (name.endsWith("MB") ? "" : "number of ") + name;
    }

    Measure drawn() {
        return columns.getFirst();
    }
}
