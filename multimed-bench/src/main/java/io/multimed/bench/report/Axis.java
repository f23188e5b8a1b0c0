package io.multimed.bench.report;

import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * What runs of a curve differ in, and what is told of each.
 *
 * @param name of the parameter
 * @param bound the parameters that follow from it, itself included
 * @param subject what the columns are of
 * @param columns the first one is drawn, and compared pair by pair
 */
record Axis(String name, Set<String> bound, String subject, List<Column> columns) {
    /**
     * Of one system.
     *
     * @param less whether less is better, so that its ratio is turned round
     */
    record Column(String head, String unit, boolean less, ToDoubleFunction<Run> value) {}

    private static final List<Column> THROUGHPUT = List.of(
            new Column("", "", false, run -> run.measured().perSecond()),
            new Column("p99", "ms", true, run -> run.measured().all().p99()));

    private static final List<Column> SHORT_ONES = List.of(
            new Column("p99", "ms", true, run -> run.measured().shortReads().p99()),
            new Column("p95", "ms", true, run -> run.measured().shortReads().p95()),
            new Column("p50", "ms", true, run -> run.measured().shortReads().p50()),
            new Column("all/s", "", false, run -> run.measured().perSecond()));

    private static final List<Column> COPY = List.of(
            figure("copying, idle,", "s", "copied and caught up, idle"),
            figure("MB/s", "", "copied a second, idle"),
            figure("beside a load, s", "s", "copied and caught up, beside a load"),
            figure("MB/s", "", "copied a second, beside a load"),
            figure("lost %", "", "interactions lost while copied"));

    static final List<Axis> ALL = List.of(
            new Axis("clients", Set.of("clients"), "throughput", THROUGHPUT),
            new Axis("processors", Set.of("processors", "cores"), "throughput", THROUGHPUT),
            new Axis("heavy clients", Set.of("heavy clients"), "latency of short interactions", SHORT_ONES),
            new Axis("estimated MB", Set.of("estimated MB", "ebs", "items"), "time of a copy", COPY));

    private static Column figure(String head, String unit, String name) {
        return new Column(head, unit, true, run -> run.figure(name));
    }

    /** As in {@code by number of clients}. */
    String by() {
        return "by " + (name.endsWith("MB") ? "" : "number of ") + name;
    }

    Column drawn() {
        return columns.getFirst();
    }
}
