package io.multimed.core.writeset;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lets update transactions run one at a time, in order of arrival: for engines that may commit transactions in an order in which
 * they could not have run serially.
 *
 * <p>Not bound to threads, since a session may change its thread.
 */
public final class UpdateTurns {
    private final Semaphore turn = new Semaphore(1, true);
    private final AtomicLong changes = new AtomicLong();

    /**
     * Returns the number of turns that have ended with a change. If a transaction takes its turn at the same number at which it
     * began to read, everything that it has read is still valid.
     */
    public long changes() {
        return changes.get();
    }

    /**
     * Takes a turn for an update transaction; waits for earlier ones.
     *
     * @return false if the turn did not come within that time
     */
    public boolean take(long patienceNanos) throws InterruptedException {
        return turn.tryAcquire(patienceNanos, TimeUnit.NANOSECONDS);
    }

    /**
     * Ends a turn, after the transaction has ended in the engine as well.
     *
     * @param changed whether it may have committed a change
     */
    public void leave(boolean changed) {
        if (changed) {
            // This comes first: the next transaction must know of the change, and one that begins to read in between
            // sees it.
            changes.incrementAndGet();
        }
        turn.release();
    }
}
