package io.multimed.endpoint.pg.session.reads;

import io.multimed.core.dispatch.ReadNeeds;
import io.multimed.core.node.NodeContents;
import io.multimed.sql.ReadMarks;
import io.multimed.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Processor time of reads by shape and node, of those reads that nodes with different contents can answer: a partial Satellite may
 * have indexes and settings of its own. All nodes with all data count as one. Used on one event loop.
 *
 * <p>Only reads that take long somewhere are compared. Now and then such a read is sent to a partial Satellite on which it has not been
 * measured, never to a node with all data, where it could keep short reads waiting.
 */
final class TimesOnNodes {
    /** Processor time from which a read is worth comparing. */
    private static final long WORTHWHILE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    /** Nodes on which a read takes less than this many times the least time count as equally fast. */
    static final int NOTABLE = 2;

    private static final int MOST_SLOWNESS = 1_000;
    /** Number of uses per trial on a node, and per measurement of what was measured on partial Satellites alone. */
    private static final int TRIAL_INTERVAL = 16;

    private final ProcessorTimes whole;
    private final @Nullable ProcessorTimes[] partial = new ProcessorTimes[NodeContents.MOST_PARTIAL];
    private final @Nullable MeasuredTimes shared;
    private int uses;
    private int usesInPart;

    /** @param shared by all loops, and with earlier processes; null if nothing is shared */
    TimesOnNodes(@Nullable MeasuredTimes shared) {
        this.shared = shared;
        whole = new ProcessorTimes(this::earlier);
    }

    /** Returns the times on the nodes with all data. */
    ProcessorTimes onWhole() {
        return whole;
    }

    /** Takes over what others have measured of a read that is met for the first time; returns its mean on nodes with all data, or 0. */
    private long earlier(Statement statement) {
        MeasuredTimes others = shared;
        if (others == null
                || !(statement instanceof Statement.Read read)
                || read.marks().shape() == 0) {
            return 0;
        }
        ReadMarks marks = read.marks();
        for (long rest = read.holders() & NodeContents.PARTIAL_BITS; rest != 0; rest &= rest - 1) {
            long bit = Long.lowestOneBit(rest);
            long mean = others.nanos(marks, bit);
            if (mean > 0) {
                on(bit).measuredElsewhere(read, mean);
            }
        }
        return others.nanos(marks, NodeContents.WHOLE_BIT);
    }

    /** Notes a measurement on the node, and shares the means if the read is worth comparing. */
    void took(List<Statement> statements, long node, long nanos) {
        on(node).took(statements, nanos);
        MeasuredTimes others = shared;
        Statement only = ProcessorTimes.onlyRead(statements);
        if (others == null
                || !(only instanceof Statement.Read read)
                || read.marks().shape() == 0) {
            return;
        }
        ReadMarks marks = read.marks();
        if (longestMeanNanos(statements, read.holders()) >= WORTHWHILE_NANOS) {
            share(others, marks, NodeContents.WHOLE_BIT, statements);
            for (long rest = read.holders() & NodeContents.PARTIAL_BITS; rest != 0; rest &= rest - 1) {
                share(others, marks, Long.lowestOneBit(rest), statements);
            }
        }
    }

    private void share(MeasuredTimes others, ReadMarks marks, long node, List<Statement> statements) {
        long mean = on(node).meanNanos(statements);
        if (mean > 0) {
            others.set(new MeasuredTimes.Mean(marks.database(), marks.shape(), node, mean));
        }
    }

    /** Returns the times on the nodes with this bit. */
    ProcessorTimes on(long bit) {
        if (bit == NodeContents.WHOLE_BIT) {
            return whole;
        }
        int number = Long.numberOfTrailingZeros(bit);
        ProcessorTimes times = partial[number];
        if (times == null) {
            times = new ProcessorTimes();
            partial[number] = times;
        }
        return times;
    }

    /**
     * Counts a use of the statements and returns whether this use is to be measured, wherever it runs. Statements that have been measured
     * on partial Satellites alone are measured more often, until that has happened on a node with all data.
     *
     * @param holders the bits of the partial Satellites that can answer them
     */
    boolean areDue(List<Statement> statements, long holders) {
        ProcessorTimes measured = measured(statements, holders);
        boolean due = measured.areDue(statements);
        return (measured != whole && ++usesInPart % TRIAL_INTERVAL == 0) || due;
    }

    /** Whether the next use of the statements is to be measured, wherever it runs: see {@link #areDue}. */
    boolean wouldBeDue(List<Statement> statements, long holders) {
        ProcessorTimes measured = measured(statements, holders);
        return measured.wouldBeDue(statements) || (measured != whole && (usesInPart + 1) % TRIAL_INTERVAL == 0);
    }

    /** Returns the times on the nodes with all data, unless the statements have been measured on a partial Satellite alone. */
    private ProcessorTimes measured(List<Statement> statements, long holders) {
        if (!whole.areMeasured(statements)) {
            for (long rest = holders & NodeContents.PARTIAL_BITS; rest != 0; rest &= rest - 1) {
                ProcessorTimes times = on(Long.lowestOneBit(rest));
                if (times.areMeasured(statements)) {
                    return times;
                }
            }
        }
        return whole;
    }

    /**
     * The longest mean of the statements on any node that can answer them, in nanoseconds; 0 when nothing is known.
     *
     * @param holders the bits of the partial Satellites that can answer them
     */
    long longestMeanNanos(List<Statement> statements, long holders) {
        long longest = whole.meanNanos(statements);
        if (longest == 0 && shared != null && whole.meets(statements)) {
            longest = whole.meanNanos(statements);
        }
        for (long rest = holders & NodeContents.PARTIAL_BITS; rest != 0; rest &= rest - 1) {
            ProcessorTimes times = partial[Long.numberOfTrailingZeros(rest)];
            if (times != null) {
                longest = Math.max(longest, times.meanNanos(statements));
            }
        }
        return longest;
    }

    /**
     * Tells where the statements are fastest, if the times on the nodes differ notably, or lets them be tried on a node on which they
     * were not measured.
     *
     * @param holders the bits of the partial Satellites that can answer them
     */
    void compare(List<Statement> statements, long holders, ReadNeeds needs) {
        if (compare(statements, holders, needs, uses + 1)) {
            uses++;
        }
    }

    /** Does what {@link #compare} would do for the next use of the statements, which are not executed. */
    void wouldCompare(List<Statement> statements, long holders, ReadNeeds needs) {
        compare(statements, holders, needs, uses + 1);
    }

    /**
     * @param use the number of this use, if it counts
     * @return whether the use counts, since the statements were not measured on all nodes
     */
    private boolean compare(List<Statement> statements, long holders, ReadNeeds needs, int use) {
        long onWhole = whole.meanNanos(statements);
        long least = onWhole == 0 ? Long.MAX_VALUE : onWhole;
        long longest = onWhole;
        long unknown = 0;
        for (long rest = holders & NodeContents.PARTIAL_BITS; rest != 0; rest &= rest - 1) {
            long bit = Long.lowestOneBit(rest);
            long mean = on(bit).meanNanos(statements);
            if (mean == 0) {
                unknown |= bit;
            } else {
                least = Math.min(least, mean);
                longest = Math.max(longest, mean);
            }
        }
        if (longest < WORTHWHILE_NANOS) {
            return false;
        }
        if (unknown != 0 && use % TRIAL_INTERVAL == 0) {
            needs.isFastestOn(unknown, MOST_SLOWNESS);
        } else if (longest >= NOTABLE * least) {
            tell(statements, holders, onWhole, least, needs);
        }
        return unknown != 0;
    }

    private void tell(List<Statement> statements, long holders, long onWhole, long least, ReadNeeds needs) {
        long fast = isFast(onWhole, least) ? NodeContents.WHOLE_BIT : 0;
        long elsewhere = isFast(onWhole, least) || onWhole == 0 ? Long.MAX_VALUE : onWhole;
        for (long rest = holders & NodeContents.PARTIAL_BITS; rest != 0; rest &= rest - 1) {
            long bit = Long.lowestOneBit(rest);
            long mean = on(bit).meanNanos(statements);
            if (isFast(mean, least)) {
                fast |= bit;
            } else if (mean != 0) {
                elsewhere = Math.min(elsewhere, mean);
            }
        }
        if (elsewhere != Long.MAX_VALUE) {
            needs.isFastestOn(fast, (int) Math.min(MOST_SLOWNESS, elsewhere / least));
        }
    }

    private static boolean isFast(long mean, long least) {
        return mean != 0 && mean < NOTABLE * least;
    }
}
