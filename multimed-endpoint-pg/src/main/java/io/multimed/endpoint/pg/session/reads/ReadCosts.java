package io.multimed.endpoint.pg.session.reads;

import io.multimed.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** What reads have cost so far, by their shape, and so what they are expected to cost. Used on one event loop. */
public final class ReadCosts {
    /** What keeps a processor busy for so long is not short. */
    private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    /** What has held others up and was not measured: as long as others are kept waiting before they are sent elsewhere. */
    private static final long UNMEASURED_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long BRIEFEST_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private final ProcessorTimes times = new ProcessorTimes();
    private final LongReads longReads = new LongReads();
    private final LongSupplier clock;
    private final boolean measurable;

    /**
     * @param clock in nanoseconds
     * @param measurable whether processor time can be measured at all
     */
    public ReadCosts(LongSupplier clock, boolean measurable) {
        this.measurable = measurable;
        this.clock = clock;
    }

    /** How long they are expected to take, in nanoseconds, if that is long, or they have held others up of late; else 0. */
    public long expectedNanos(List<Statement> statements) {
        long mean = times.meanNanos(statements);
        if (mean >= LONG_NANOS) {
            return mean;
        }
        if (!longReads.anyOf(statements, clock)) {
            return 0;
        }
        return mean == 0 ? UNMEASURED_NANOS : Math.max(mean, BRIEFEST_NANOS);
    }

    /** They are going to be executed: whether it is to be measured how long they keep a processor busy. */
    public boolean areToBeTimed(List<Statement> statements) {
        return measurable && times.areDue(statements);
    }

    /** That is being measured. */
    void timed(List<Statement> statements) {
        times.begun(statements);
    }

    /** That is not measured to its end. */
    void gaveUpTiming(List<Statement> statements) {
        times.gaveUp(statements);
    }

    void took(List<Statement> statements, long processorNanos) {
        times.took(statements, processorNanos);
    }

    /** Others had to leave a connection because they take long. */
    public void heldOthersUp(List<Statement> statements) {
        longReads.heldOthersUp(statements, clock.getAsLong());
    }

    /** They could have, having shared a connection. */
    public void heldNobodyUp(List<Statement> statements) {
        longReads.heldNobodyUp(statements);
    }
}
