package io.multimed.core.writeset;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Lets update transactions run one at a time, in the order in which they come: for engines whose commits come in an order in
 * which the transactions could not have run.
 *
 * <p>Not bound to threads, since a session may change its thread.
 */
public final class UpdateTurns {
    private final Semaphore turn = new Semaphore(1, true);
    private final AtomicLong changes = new AtomicLong();

    /**
     * How many turns so far have ended with a change: a transaction that began to read at that number and takes its turn at the
     * same one has read nothing that is not so any more.
     */
    public long changes() {
        return changes.get();
    }

    /**
     * An update transaction takes its turn; waits for those before it.
     *
     * @return false if it did not get it within that time
     */
    public boolean take(long patienceNanos) throws InterruptedException {
        return turn.tryAcquire(patienceNanos, TimeUnit.NANOSECONDS);
    }

    /**
     * It has ended, in the engine as well.
     *
     * @param changed whether it may have committed a change
     */
    public void leave(boolean changed) {
        if (changed) {
            // First: who comes next must know, and who begins to read between the two sees the change.
            changes.incrementAndGet();
        }
        turn.release();
    }
}
