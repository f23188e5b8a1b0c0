package io.multimed.core.writeset;

import io.multimed.core.propagation.Floor;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The Master's commits in order, with what each changed, for Satellites that are fed write sets.
 *
 * <p>Invariants. SCNs count up by one. A commit's SCN is the floor before the Master makes it visible, so whatever
 * anyone can have seen or been told is at or below {@link #floor}. Nothing is appended before the Master has committed
 * it; a commit that failed leaves an empty entry.
 *
 * <p>The entries form one list, shared by all feeds: each holds its place in it, and what all have passed is garbage.
 * Written under one lock, in the committing threads; read without.
 *
 * @param <W> a write set, opaque here
 */
public final class WriteSetLog<W> implements Floor {
    /**
     * Changed rows that a feed may be behind before it is helped: a few milliseconds of applying. Below it appliers work
     * at their own pace, and readers that need more apply it themselves.
     */
    public static final long HELP_BEHIND = 16_384;

    private final YieldingLock order = new YieldingLock();
    private final CopyOnWriteArrayList<WriteSetFeed<W>> feeds = new CopyOnWriteArrayList<>();
    private volatile long floor;
    private volatile Entry<W> tail = new Entry<>(0, null, 0);

    /** One commit. */
    static final class Entry<W> {
        final long scn;
        /** Null if the commit changed nothing after all. */
        final @Nullable W writeSet;
        /** Rows changed by all commits up to this one. */
        final long rowsBefore;

        volatile @Nullable Entry<W> next;

        Entry(long scn, @Nullable W writeSet, long rowsBefore) {
            this.scn = scn;
            this.writeSet = writeSet;
            this.rowsBefore = rowsBefore;
        }
    }

    /** Commits in the engine. */
    @FunctionalInterface
    public interface Commit<X extends Exception> {
        void run() throws X;
    }

    @Override
    public long floor() {
        return floor;
    }

    /**
     * Commits a transaction: its SCN and its commit are one step for everybody else. Any thread; others that commit wait
     * meanwhile.
     *
     * @param writeSet what it changed
     * @param rows how many rows, at least 1
     * @param commit in the Master
     * @return the SCN
     */
    public <X extends Exception> long commit(W writeSet, long rows, Commit<X> commit) throws X {
        long scn;
        order.lock();
        try {
            scn = floor + 1;
            // Before anyone can see it: from now on readers ask for it, and wait for the entry.
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
     * Appends what has already happened, while no transaction could commit.
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

    /** Runs {@code step} while nothing commits: what {@link #commit} ran before is in the log. It may {@link #append}. */
    public <X extends Exception> void exclusively(Commit<X> step) throws X {
        order.lock();
        try {
            step.run();
        } finally {
            order.unlock();
        }
    }

    /** Looks at a Master that commits nothing meanwhile. */
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
     * As {@link #exclusively}, if whoever commits now is done in time.
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
     * Returns once the entry of every SCN at or below the present floor is there: a commit that is under way is waited
     * for.
     *
     * @return whether that was so within the time
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

    /** Feeds that are fed now. */
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
