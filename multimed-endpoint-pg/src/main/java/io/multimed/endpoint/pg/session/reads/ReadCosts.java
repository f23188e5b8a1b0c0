package io.multimed.endpoint.pg.session.reads;

import io.multimed.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The costs of reads so far, by shape, and the expected costs derived from them. Used on one event loop. */
public final class ReadCosts {
    /** Processor time from which a read counts as long. */
    private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    /**
     * Assumed processor time of a read that has held others up and was not measured. It is the time that others wait before they
     * are sent elsewhere.
     */
    private static final long UNMEASURED_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long BRIEFEST_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private final ProcessorTimes times = new ProcessorTimes();
    private final LongReads longReads = new LongReads();
    private final LongSupplier clock;
    private final boolean measurable;

    /**
     * Creates the costs.
     *
     * @param clock in nanoseconds
     * @param measurable whether processor time can be measured at all
     */
    public ReadCosts(LongSupplier clock, boolean measurable) {
        this.measurable = measurable;
        this.clock = clock;
    }

    /**
     * The expected processor time of the statements in nanoseconds, if that is long or they have held others up recently; otherwise
     * 0.
     */
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

    /** Whether the processor time of the statements, which are about to be executed, is to be measured. */
    public boolean areToBeTimed(List<Statement> statements) {
        return measurable && times.areDue(statements);
    }

    /** Notes that the measurement has begun. */
    void timed(List<Statement> statements) {
        times.begun(statements);
    }

    /** Notes that the measurement was not completed. */
    void gaveUpTiming(List<Statement> statements) {
        times.gaveUp(statements);
    }

    void took(List<Statement> statements, long processorNanos) {
        times.took(statements, processorNanos);
    }

    /** Notes that others had to leave a connection because the statements take long. */
    public void heldOthersUp(List<Statement> statements) {
        longReads.heldOthersUp(statements, clock.getAsLong());
    }

    /** Whether any read has held others up and is still remembered. */
    public boolean areAnyLong() {
        return longReads.any();
    }

    /** Notes that the statements shared a connection and held nobody up. */
    public void heldNobodyUp(List<Statement> statements) {
        longReads.heldNobodyUp(statements);
    }
}
