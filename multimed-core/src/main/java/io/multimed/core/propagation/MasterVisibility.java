package io.multimed.core.propagation;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;

/**
 * The commits that are known to be visible on the Master.
 *
 * <p>A Satellite shows a commit once it has replayed the record. The Master shows it a moment later, when the transaction leaves
 * its list of running ones. A session that read on a Satellite must not go back in time with its next transaction on the Master:
 * before that transaction takes its first snapshot, everything that any Satellite has shown to any client must be visible on the
 * Master.
 *
 * <p>So a transaction that is about to begin on the Master reads {@link #shown()} once, on arrival, and waits until
 * {@link #masterShows} that much. Waiting for {@link #masterShowsAll()} could last for ever, since other readers continue to see
 * new commits.
 *
 * <p>Commits arrive in the order of their SCNs. {@link #committed} is called by the relay thread, {@link #shown(long)} by the
 * endpoint's loops, {@link #observed} by the thread that asked the Master for a snapshot.
 */
public final class MasterVisibility {
    /**
     * Largest number of unconfirmed commits kept, in 16 MB: some minutes at full speed. So many occur only if no snapshot is taken
     * at all.
     */
    private static final int LIMIT = 1 << 20;
    /** Number of commits checked before the relay thread gets a chance to add one. */
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
    /** The first of the range of commits for which there was no room. The range follows the commits in the ring. */
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

    /** Adds a commit whose record was received; the Master may not show it yet. A relay that has reconnected may repeat commits. */
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
     * Records that a Satellite has answered a read, possibly with everything forwarded to it up to {@code scn}. Called before the
     * answer is passed on. Wait-free if nothing new was shown.
     */
    public void shown(long scn) {
        if (scn > shown.get()) {
            shown.accumulateAndGet(scn, Math::max);
        }
    }

    /** Returns an upper bound of the SCNs that Satellites have shown to any client so far. Thread-safe and wait-free. */
    public long shown() {
        return shown.get();
    }

    /** Whether the Master is known to show every commit at or below {@code scn}. Thread-safe and wait-free. */
    public boolean masterShows(long scn) {
        return firstUnconfirmed > scn;
    }

    /** Whether everything that Satellites have shown is known to be visible on the Master. Thread-safe and wait-free. */
    public boolean masterShowsAll() {
        return firstUnconfirmed > shown.get();
    }

    /**
     * Records a snapshot of the Master.
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
     * Records that the Master shows every commit at or below {@code scn}, as found by other means. This is needed after
     * {@link #overflowed()}: a snapshot in which all transactions are finished that ran in an earlier snapshot covers everything
     * that had been received before the earlier one.
     */
    public void visibleUpTo(long scn) {
        synchronized (lock) {
            while (size > 0 && scns[head] <= scn) {
                removeFirst();
            }
            if (firstDropped <= scn) {
                // The SCNs of the dropped commits are not kept; the next one is only known to be greater.
                firstDropped = scn >= lastDropped ? NONE : scn + 1;
            }
            publish();
        }
    }

    /** Returns the number of commits that are not known to be visible; a snapshot should be taken when there are many. */
    public int unconfirmedCount() {
        synchronized (lock) {
            return size;
        }
    }

    /**
     * Whether there were so many unconfirmed commits that the latest were not kept one by one: only {@link #visibleUpTo} can
     * confirm these, {@link #observed} cannot.
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

    /** Returns a copy of the ring with twice the length, beginning with the ring's first element. */
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
