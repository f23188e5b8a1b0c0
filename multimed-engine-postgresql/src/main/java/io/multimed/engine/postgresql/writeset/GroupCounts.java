package io.multimed.engine.postgresql.writeset;

import java.util.concurrent.atomic.AtomicLong;

/** How an applier has written its groups, for tests. The applier's thread writes; any thread reads. */
final class GroupCounts {
    private final AtomicLong compacted = new AtomicLong();
    private final AtomicLong redone = new AtomicLong();
    /** Number of times that a group had to wait. */
    final AtomicLong delayed = new AtomicLong();
    /** Number of sessions that were ended because a group waited for them. */
    final AtomicLong ended = new AtomicLong();

    private volatile long copied;

    /**
     * Counts a group that was committed.
     *
     * @param copiedSoFar how often rows were written by COPY until now
     */
    void committed(boolean byNetEffect, long copiedSoFar) {
        copied = copiedSoFar;
        (byNetEffect ? compacted : redone).incrementAndGet();
    }

    /** Returns the number of groups written by their net effect. */
    long compacted() {
        return compacted.get();
    }

    /** Returns the number of groups written change by change. */
    long redone() {
        return redone.get();
    }

    /** Returns how often rows were written by COPY. */
    long copied() {
        return copied;
    }
}
