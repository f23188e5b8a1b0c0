package io.multimed.testkit.history;

import java.util.Map;

/**
 * The contents of one snapshot. A READ COMMITTED transaction has one for each statement, a REPEATABLE READ transaction only
 * one. Times are monotonic nanoseconds of one clock.
 *
 * @param session number of the session
 * @param begun when the first statement of its transaction (under REPEATABLE READ: BEGIN) was sent; {@link #PAST_MULTIMED} if it was sent to
 *     the Master itself
 * @param invoked when the statement (under REPEATABLE READ: BEGIN) was sent
 * @param replied when its answer (under REPEATABLE READ: the first answer with data) had arrived
 * @param master whether the Master answered, where snapshots are sets of transactions and not always prefixes
 * @param registers register to the number seen in it; 0 where no transaction had written yet
 * @param count number of rows of the table without a key, or {@link #NOT_LOOKED}
 * @param sum their sum; meaningless without a count
 */
public record Read(
        int session,
        long begun,
        long invoked,
        long replied,
        boolean master,
        Map<Integer, Long> registers,
        long count,
        long sum) {
    public static final long NOT_LOOKED = -1;

    /** The beginning of a transaction that owes nothing to those who have read on Satellites: nobody has told the Master of them. */
    public static final long PAST_MULTIMED = Long.MIN_VALUE;

    public Read {
        registers = Map.copyOf(registers);
    }

    /** Returns the first or only snapshot of its transaction. */
    public static Read first(
            int session,
            long invoked,
            long replied,
            boolean master,
            Map<Integer, Long> registers,
            long count,
            long sum) {
        return new Read(session, invoked, invoked, replied, master, registers, count, sum);
    }
}
