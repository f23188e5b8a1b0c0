package io.multimed.core.counters;

import io.multimed.core.dispatch.Reason;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counters of transactions by node and reason, and of the times that readers waited. Written by one loop, read by any thread. */
public final class RouteCounters {
    private final Map<Reason, LongAdder> byReason = new EnumMap<>(Reason.class);
    private final LongAdder freshnessWaits = new LongAdder();
    private final LongAdder freshnessWaitNanos = new LongAdder();
    private final WaitTimes freshnessWaitTimes = new WaitTimes();
    private final LongAdder visibilityWaits = new LongAdder();
    private final LongAdder queries = new LongAdder();
    private final LongAdder coalesced = new LongAdder();

    public RouteCounters() {
        for (Reason reason : Reason.values()) {
            byReason.put(reason, new LongAdder());
        }
    }

    /** Counts a transaction that was placed for this reason. */
    public void placed(Reason reason) {
        adder(reason).increment();
    }

    /** Counts a unit that has waited this long for a Satellite that is fresh enough. */
    public void waitedForFreshness(long nanos) {
        freshnessWaits.increment();
        freshnessWaitNanos.add(nanos);
        freshnessWaitTimes.add(nanos);
    }

    /** Counts a unit that waits until the Master shows everything that Satellites have shown. */
    public void waitedForVisibility() {
        visibilityWaits.increment();
    }

    /** Counts a unit that was answered. */
    public void query() {
        queries.increment();
    }

    /** Counts a unit that was answered with the reply to another session. */
    public void coalesced() {
        coalesced.increment();
    }

    /** Number of transactions that were placed for this reason. */
    public long placedFor(Reason reason) {
        return adder(reason).sum();
    }

    public long freshnessWaits() {
        return freshnessWaits.sum();
    }

    public long freshnessWaitNanos() {
        return freshnessWaitNanos.sum();
    }

    public WaitTimes freshnessWaitTimes() {
        return freshnessWaitTimes;
    }

    public long visibilityWaits() {
        return visibilityWaits.sum();
    }

    /** Number of units that were answered. */
    public long queries() {
        return queries.sum();
    }

    /** Number of reads that were answered with the reply to another session's equal read. */
    public long coalescedReads() {
        return coalesced.sum();
    }

    private LongAdder adder(Reason reason) {
        LongAdder adder = byReason.get(reason);
        if (adder == null) {
            throw new AssertionError(reason);
        }
        return adder;
    }
}
