package io.multimed.endpoint.pg.session.reads;

import io.multimed.core.dispatch.ReadNeeds;
import io.multimed.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The costs of reads so far, by shape, and the expected costs derived from them. Used on one event loop. */
public final class ReadCosts {
    /** Processor time from which a read counts as long. */
    public static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    /**
     * Assumed processor time of a read that has held others up and was not measured. It is the time that others wait before they
     * are sent elsewhere.
     */
    private static final long UNMEASURED_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long BRIEFEST_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

    private final ProcessorTimes times;
    private final TimesOnNodes onNodes;
    private final LongReads longReads = new LongReads();
    private final LongSupplier clock;
    private final boolean measurable;
    private final boolean comparesNodes;

    /**
     * Creates the costs.
     *
     * @param clock in nanoseconds
     * @param measurable whether processor time can be measured at all
     * @param comparesNodes whether some nodes hold a part of the data, so that reads may take longer on one than on another
     * @param shared where means are shared with others; null if they are not
     */
    public ReadCosts(LongSupplier clock, boolean measurable, boolean comparesNodes, @Nullable MeasuredTimes shared) {
        onNodes = new TimesOnNodes(shared);
        times = onNodes.onWhole();
        this.measurable = measurable;
        this.clock = clock;
        this.comparesNodes = comparesNodes;
    }

    /**
     * The expected processor time of the statements in nanoseconds, if that is long or they have held others up recently; otherwise
     * 0.
     */
    public long expectedNanos(List<Statement> statements) {
        long mean = meanNanos(statements);
        if (mean >= LONG_NANOS) {
            return mean;
        }
        if (!longReads.anyOf(statements, clock)) {
            return 0;
        }
        return mean == 0 ? UNMEASURED_NANOS : Math.max(mean, BRIEFEST_NANOS);
    }

    /**
     * The expected processor time of the statements on a node, in nanoseconds.
     *
     * @param node the bit of the node
     * @param anywhere what they are expected to take on any node
     */
    public long expectedNanosOn(List<Statement> statements, long node, long anywhere) {
        long mean = comparesNodes ? onNodes.on(node).meanNanos(statements) : 0;
        return mean == 0 ? anywhere : mean;
    }

    /** Whether the statements have been measured on any node that can answer them. */
    public boolean isMeasured(List<Statement> statements) {
        return meanNanos(statements) > 0;
    }

    private long meanNanos(List<Statement> statements) {
        if (!comparesNodes) {
            return times.meanNanos(statements);
        }
        return onNodes.longestMeanNanos(statements, ProcessorTimes.holders(statements));
    }

    /** Sets the nodes on which the statements are fastest, if they are known to take notably longer elsewhere. */
    public void compareNodes(List<Statement> statements, long holders, ReadNeeds needs) {
        if (holders != 0) {
            onNodes.compare(statements, holders, needs);
        }
    }

    /** Whether the processor time of the statements, which are about to be executed, is to be measured. */
    public boolean areToBeTimed(List<Statement> statements) {
        if (!measurable) {
            return false;
        }
        return comparesNodes
                ? onNodes.areDue(statements, ProcessorTimes.holders(statements))
                : times.areDue(statements);
    }

    /**
     * The costs that are expected of statements, for a person.
     *
     * @param nanos the expected processor time if that is long, otherwise 0
     * @param isToBeTimed whether the next execution is to be measured
     * @param meanNanos the mean of the processor times so far; 0 if too few were measured
     */
    public record Expectation(long nanos, boolean isToBeTimed, long meanNanos) {
        /** The expectation of statements whose costs are not looked at. */
        public static final Expectation NONE = new Expectation(0, false, 0);
    }

    /** Returns the expected costs of the statements, which are not executed. */
    public Expectation expectation(List<Statement> statements) {
        boolean isDue = comparesNodes
                ? onNodes.wouldBeDue(statements, ProcessorTimes.holders(statements))
                : times.wouldBeDue(statements);
        return new Expectation(expectedNanos(statements), measurable && isDue, meanNanos(statements));
    }

    /** Sets the nodes on which the statements, which are not executed, would be fastest: see {@link #compareNodes}. */
    public void wouldCompareNodes(List<Statement> statements, long holders, ReadNeeds needs) {
        if (holders != 0) {
            onNodes.wouldCompare(statements, holders, needs);
        }
    }

    /**
     * Whether a read with the longer of two means takes notably longer.
     *
     * @param least the mean where it is fastest
     */
    public static boolean takesNotablyLonger(long mean, long least) {
        return mean >= TimesOnNodes.NOTABLE * least;
    }

    /** The mean of the processor times so far on the nodes with this bit; 0 if too few were measured. */
    public long meanNanosOn(List<Statement> statements, long node) {
        return onNodes.on(node).meanNanos(statements);
    }

    /**
     * Notes that the measurement has begun.
     *
     * @param node the bit of the node
     */
    void timed(List<Statement> statements, long node) {
        onNodes.on(node).begun(statements);
    }

    /** Notes that the measurement was not completed. */
    void gaveUpTiming(List<Statement> statements, long node) {
        onNodes.on(node).gaveUp(statements);
    }

    void took(List<Statement> statements, long node, long processorNanos) {
        onNodes.took(statements, node, processorNanos);
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
