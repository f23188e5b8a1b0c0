package io.multimed.core.counters;

import io.multimed.core.dispatch.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/** Counters as tables, summed over the event loops. */
public final class CounterTables {
    private static final long NANOS_PER_MICRO = 1_000;

    private CounterTables() {}

    /** Returns the number of transactions for each reason of a placement. */
    public static AdminTable routes(List<RouteCounters> loops) {
        List<List<Object>> rows = new ArrayList<>();
        for (Reason reason : Reason.values()) {
            rows.add(List.of(
                    reason.name().toLowerCase(Locale.ROOT),
                    reason.text(),
                    sum(loops, counters -> counters.placedFor(reason))));
        }
        return new AdminTable(List.of("reason", "meaning", "transactions"), rows);
    }

    /** Returns the number of reads that waited for a Satellite to become fresh, by length of the wait. */
    public static AdminTable waits(List<RouteCounters> loops) {
        Map<Long, Long> waits = new TreeMap<>();
        loops.forEach(counters -> counters.freshnessWaitTimes().addTo(waits));
        List<List<Object>> rows = new ArrayList<>();
        waits.forEach((micros, count) -> rows.add(List.of(micros, count)));
        return new AdminTable(List.of("at_most_us", "waits"), rows);
    }

    /** Returns single numbers by their names, to which {@code more} are added. */
    public static AdminTable stats(List<RouteCounters> loops, List<List<Object>> more) {
        List<List<Object>> rows = new ArrayList<>();
        rows.add(List.of("units", sum(loops, RouteCounters::queries)));
        rows.add(List.of("freshness_waits", sum(loops, RouteCounters::freshnessWaits)));
        rows.add(List.of("freshness_wait_us", sum(loops, RouteCounters::freshnessWaitNanos) / NANOS_PER_MICRO));
        rows.add(List.of("visibility_waits", sum(loops, RouteCounters::visibilityWaits)));
        rows.addAll(more);
        return new AdminTable(List.of("name", "value"), rows);
    }

    private static long sum(List<RouteCounters> loops, ToLongFunction<RouteCounters> value) {
        return loops.stream().mapToLong(value).sum();
    }
}
