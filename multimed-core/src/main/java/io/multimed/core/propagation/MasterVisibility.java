package io.multimed.core.propagation;

import java.util.ArrayDeque;
import java.util.function.LongPredicate;

/**
 * Which commits are known to be visible on the Master.
 *
 * <p>A Satellite shows a commit once it has replayed the record; the Master shows it a moment later, when the
 * transaction leaves its list of running ones. A session that read on a Satellite must not be sent back in time by its
 * next transaction on the Master: before that transaction takes its first snapshot, everything that any Satellite has
 * shown to anyone must be visible on the Master.
 *
 * <p>{@link #committed} is called by the relay thread, {@link #shown} by the endpoint's loops, {@link #observed} by
 * whoever asked the Master for a snapshot.
 */
public final class MasterVisibility {
    private record Commit(long scn, long transaction) {}

    private final Object lock = new Object();
    private final ArrayDeque<Commit> unconfirmed = new ArrayDeque<>();
    private volatile long firstUnconfirmed = Long.MAX_VALUE;
    private volatile long shown;

    /** A commit record was received; nobody knows yet whether the Master shows it. */
    void committed(long scn, long transaction) {
        synchronized (lock) {
            unconfirmed.addLast(new Commit(scn, transaction));
            if (unconfirmed.size() == 1) {
                firstUnconfirmed = scn;
            }
        }
    }

    /** A Satellite has answered a read with what it may have replayed: everything forwarded to it up to {@code scn}. */
    public void shown(long scn) {
        if (scn > shown) {
            synchronized (lock) {
                shown = Math.max(shown, scn);
            }
        }
    }

    /** Whether all that Satellites have shown is known to be visible on the Master. Any thread; wait-free. */
    public boolean masterShowsAll() {
        return firstUnconfirmed > shown;
    }

    /**
     * A snapshot of the Master, asked for after the commits in question were received, was returned.
     *
     * @param visible whether a transaction, given by the engine's own number, is finished in that snapshot
     */
    public void observed(LongPredicate visible) {
        synchronized (lock) {
            while (!unconfirmed.isEmpty() && visible.test(unconfirmed.getFirst().transaction())) {
                unconfirmed.removeFirst();
            }
            firstUnconfirmed = unconfirmed.isEmpty()
                    ? Long.MAX_VALUE
                    : unconfirmed.getFirst().scn();
        }
    }

    /** The Master was restarted: whatever its log holds, it shows. Called by the relay thread before it reconnects. */
    public void masterRestarted() {
        synchronized (lock) {
            unconfirmed.clear();
            firstUnconfirmed = Long.MAX_VALUE;
        }
    }

    /** How many commits are not known to be visible; the relay has a snapshot taken when they grow many. */
    public int unconfirmedCount() {
        synchronized (lock) {
            return unconfirmed.size();
        }
    }
}
