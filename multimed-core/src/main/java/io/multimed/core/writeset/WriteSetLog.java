package io.multimed.core.writeset;

import io.multimed.core.propagation.Floor;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The Master's commits in order, with the changes of each, for Satellites that are fed write sets.
 *
 * <p>Invariants: SCNs increase by one. A commit's SCN is the floor before the Master makes the commit visible, so everything that
 * any client can have seen or had acknowledged is at or below {@link #floor}. An entry is appended only after the Master has
 * committed it; a failed commit leaves an empty entry.
 *
 * <p>The entries form one list, shared by all feeds. Each feed holds its place in it, and entries that all feeds have passed are
 * garbage. Committing threads write under one lock; reads need no lock.
 *
 * @param <W> a write set, opaque here
 */
public final class WriteSetLog<W> implements Floor {
    /**
     * Number of changed rows that a feed may be behind before committing threads help it: a few milliseconds of applying. Below
     * that, appliers work at their own pace, and readers that need more apply it themselves.
     */
    public static final long HELP_BEHIND = 16_384;

    private final YieldingLock order = new YieldingLock();
    private final CopyOnWriteArrayList<WriteSetFeed<W>> feeds = new CopyOnWriteArrayList<>();
    private volatile long floor;
    private volatile Entry<W> tail = new Entry<>(0, null, 0);

    /** One commit. */
    static final class Entry<W> {
        final long scn;
        /** The changes; null if the commit failed. */
        final @Nullable W writeSet;
        /** Number of rows changed by all commits up to and including this one. */
        final long rowsBefore;

        volatile @Nullable Entry<W> next;

        Entry(long scn, @Nullable W writeSet, long rowsBefore) {
            this.scn = scn;
            this.writeSet = writeSet;
            this.rowsBefore = rowsBefore;
        }
    }

    /** A commit in the engine. */
    @FunctionalInterface
    public interface Commit<X extends Exception> {
        void run() throws X;
    }

    @Override
    public long floor() {
        return floor;
    }

    /**
     * Commits a transaction: for all other threads, its SCN and its commit are one step. Thread-safe; other commits wait meanwhile.
     *
     * @param writeSet its changes
     * @param rows number of changed rows, at least 1
     * @param commit in the Master
     * @return the SCN
     */
    public <X extends Exception> long commit(W writeSet, long rows, Commit<X> commit) throws X {
        long scn;
        order.lock();
        try {
            scn = floor + 1;
            // The floor rises before any client can see the commit: from now on readers require it, and wait for the
            // entry.
            floor = scn;
            boolean committed = false;
            try {
                commit.run();
                committed = true;
            } finally {
                append(new Entry<>(scn, committed ? writeSet : null, tail.rowsBefore + (committed ? rows : 0)));
            }
        } finally {
            order.unlock();
        }
        wakeThoseBehind();
        return scn;
    }

    /**
     * Appends changes that have already happened, while no transaction could commit.
     *
     * @return the SCN
     */
    public long append(W writeSet, long rows) {
        order.lock();
        try {
            long scn = floor + 1;
            append(new Entry<>(scn, writeSet, tail.rowsBefore + rows));
            floor = scn;
            return scn;
        } finally {
            order.unlock();
        }
    }

    /**
     * Runs {@code step} while nothing commits: all earlier calls of {@link #commit} are in the log. The step may {@link #append}.
     */
    public <X extends Exception> void exclusively(Commit<X> step) throws X {
        order.lock();
        try {
            step.run();
        } finally {
            order.unlock();
        }
    }

    /** An inspection of a Master that commits nothing meanwhile. */
    @FunctionalInterface
    public interface Quiesced<T, X extends Exception> {
        T run() throws X;
    }

    /** Runs {@code look} while nothing commits. */
    public <T, X extends Exception> T quiesced(Quiesced<T, X> look) throws X {
        order.lock();
        try {
            return look.run();
        } finally {
            order.unlock();
        }
    }

    /**
     * Runs {@code step} like {@link #exclusively}, if the commit under way ends in time.
     *
     * @return whether it was run
     */
    public <X extends Exception> boolean tryExclusively(long nanos, Commit<X> step) throws X, InterruptedException {
        if (!order.tryLock(nanos)) {
            return false;
        }
        try {
            step.run();
            return true;
        } finally {
            order.unlock();
        }
    }

    private void append(Entry<W> entry) {
        tail.next = entry;
        tail = entry;
    }

    /**
     * Waits until the entry of every SCN at or below the present floor exists, that is, for a commit that is under way.
     *
     * @return whether that happened within the time
     */
    boolean settled(long nanos) throws InterruptedException {
        if (!order.tryLock(nanos)) {
            return false;
        }
        order.unlock();
        return true;
    }

    Entry<W> tail() {
        return tail;
    }

    /** Returns the feeds that are active now. */
    public List<WriteSetFeed<W>> feeds() {
        return List.copyOf(feeds);
    }

    void add(WriteSetFeed<W> feed) {
        feeds.add(feed);
    }

    void remove(WriteSetFeed<W> feed) {
        feeds.remove(feed);
    }

    private void wakeThoseBehind() {
        long rows = tail.rowsBefore;
        for (WriteSetFeed<W> feed : feeds) {
            feed.behind(rows);
        }
    }
}
