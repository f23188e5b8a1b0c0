package io.multimed.endpoint.pg.session.loop;

import io.multimed.core.dispatch.Reason;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** How many transactions went where and why, and how long readers waited. Written by one loop, read by any thread. */
public final class RouteCounters {
    private final Map<Reason, LongAdder> byReason = new EnumMap<>(Reason.class);
    private final LongAdder freshnessWaits = new LongAdder();
    private final LongAdder freshnessWaitNanos = new LongAdder();
    private final WaitTimes freshnessWaitTimes = new WaitTimes();
    private final LongAdder visibilityWaits = new LongAdder();
    private final LongAdder queries = new LongAdder();
    private final LongAdder coalesced = new LongAdder();

    RouteCounters() {
        for (Reason reason : Reason.values()) {
            byReason.put(reason, new LongAdder());
        }
    }

    /** A transaction was placed for this reason. */
    public void placed(Reason reason) {
        adder(reason).increment();
    }

    /** A unit has waited so long for a Satellite that is fresh enough. */
    public void waitedForFreshness(long nanos) {
        freshnessWaits.increment();
        freshnessWaitNanos.add(nanos);
        freshnessWaitTimes.add(nanos);
    }

    /** A unit waits for the Master to show what Satellites have shown. */
    public void waitedForVisibility() {
        visibilityWaits.increment();
    }

    /** A unit was answered. */
    public void query() {
        queries.increment();
    }

    /** A unit was answered with what another session was told. */
    public void coalesced() {
        coalesced.increment();
    }

    /** Transactions placed for this reason. */
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

    /** Units of work completed. */
    public long queries() {
        return queries.sum();
    }

    /** Reads answered with what another session was told that had asked the same. */
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
