package io.multimed.core.propagation;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;

/**
 * Which commits are known to be visible on the Master.
 *
 * <p>A Satellite shows a commit once it has replayed the record; the Master shows it a moment later, when the
 * transaction leaves its list of running ones. A session that read on a Satellite must not be sent back in time by its
 * next transaction on the Master: before that transaction takes its first snapshot, everything that any Satellite has
 * shown to anyone must be visible on the Master.
 *
 * <p>So whoever is about to begin on the Master takes {@link #shown()} once, on arrival, and waits until {@link
 * #masterShows} that much. Waiting for {@link #masterShowsAll()} could last for ever, since readers go on showing.
 *
 * <p>Commits arrive in the order of their SCNs. {@link #committed} is called by the relay thread, {@link #shown(long)}
 * by the endpoint's loops, {@link #observed} by whoever asked the Master for a snapshot.
 */
public final class MasterVisibility {
    /** Commits of some minutes at full speed, in 16 MB: so many are unconfirmed only if nobody gets a snapshot at all. */
    private static final int LIMIT = 1 << 20;
    /** How many commits are looked at before the relay thread gets a chance to add one. */
    private static final int BATCH = 256;

    private static final long NONE = Long.MAX_VALUE;

    private final Object lock = new Object();
    private final int limit;
    /** A ring of {@code size} commits from {@code head}, in the order of the log. */
    private long[] scns = new long[256];

    private long[] transactions = new long[256];
    private int head;
    private int size;
    private long lastCommitted;
    /** The range of commits that there was no room for; they follow those in the ring. */
    private long firstDropped = NONE;

    private long lastDropped;

    private volatile long firstUnconfirmed = NONE;
    private final AtomicLong shown = new AtomicLong();

    public MasterVisibility() {
        this(LIMIT);
    }

    MasterVisibility(int limit) {
        this.limit = limit;
    }

    /**
     * A commit record was received; nobody knows yet whether the Master shows it. A relay that has reconnected may
     * repeat commits.
     */
    void committed(long scn, long transaction) {
        synchronized (lock) {
            if (scn <= lastCommitted) {
                return;
            }
            lastCommitted = scn;
            if (firstDropped != NONE || size == limit) {
                firstDropped = Math.min(firstDropped, scn);
                lastDropped = scn;
            } else {
                append(scn, transaction);
            }
            if (firstUnconfirmed == NONE) {
                firstUnconfirmed = scn;
            }
        }
    }

    /**
     * A Satellite has answered a read with what it may have replayed: everything forwarded to it up to {@code scn}.
     * Called before the answer is passed on. Wait-free when nothing new was shown.
     */
    public void shown(long scn) {
        if (scn > shown.get()) {
            shown.accumulateAndGet(scn, Math::max);
        }
    }

    /** Bound of what Satellites have shown to anyone by now. Any thread; wait-free. */
    public long shown() {
        return shown.get();
    }

    /** Whether the Master is known to show every commit at or below {@code scn}. Any thread; wait-free. */
    public boolean masterShows(long scn) {
        return firstUnconfirmed > scn;
    }

    /** Whether all that Satellites have shown is known to be visible on the Master. Any thread; wait-free. */
    public boolean masterShowsAll() {
        return firstUnconfirmed > shown.get();
    }

    /**
     * A snapshot of the Master was returned.
     *
     * @param visible whether a transaction, given by the engine's own number, is finished in that snapshot
     */
    public void observed(LongPredicate visible) {
        boolean more = true;
        while (more) {
            synchronized (lock) {
                for (int i = 0; i < BATCH && more; i++) {
                    more = size > 0 && visible.test(transactions[head]);
                    if (more) {
                        removeFirst();
                    }
                }
                publish();
            }
        }
    }

    /**
     * It has become known by other means that the Master shows every commit at or below {@code scn}. This is the way
     * out when {@link #overflowed()}: a snapshot in which everything is finished that ran in an earlier one covers all
     * that had been received before the earlier one.
     */
    public void visibleUpTo(long scn) {
        synchronized (lock) {
            while (size > 0 && scns[head] <= scn) {
                removeFirst();
            }
            if (firstDropped <= scn) {
                // The dropped ones were dropped with their SCNs: the next is known only to follow.
                firstDropped = scn >= lastDropped ? NONE : scn + 1;
            }
            publish();
        }
    }

    /** How many commits are not known to be visible; a snapshot should be taken when they grow many. */
    public int unconfirmedCount() {
        synchronized (lock) {
            return size;
        }
    }

    /**
     * Whether so many commits were unconfirmed that the latest were not kept one by one: {@link #observed} alone will
     * not confirm them, {@link #visibleUpTo} will.
     */
    public boolean overflowed() {
        synchronized (lock) {
            return firstDropped != NONE;
        }
    }

    private void append(long scn, long transaction) {
        if (size == scns.length) {
            scns = unrolled(scns);
            transactions = unrolled(transactions);
            head = 0;
        }
        int tail = (head + size) % scns.length;
        scns[tail] = scn;
        transactions[tail] = transaction;
        size++;
    }

    /** A ring of twice the length, beginning at its first element. */
    private long[] unrolled(long[] ring) {
        long[] longer = Arrays.copyOfRange(ring, head, head + 2 * ring.length);
        System.arraycopy(ring, 0, longer, ring.length - head, head);
        return longer;
    }

    private void removeFirst() {
        head = (head + 1) % scns.length;
        size--;
    }

    private void publish() {
        firstUnconfirmed = size > 0 ? scns[head] : firstDropped;
    }
}
