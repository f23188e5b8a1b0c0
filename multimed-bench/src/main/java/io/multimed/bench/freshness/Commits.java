package io.multimed.bench.freshness;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The commits acknowledged to writers. Each row has one writer, which numbers its commits from 1 and reports each. Any thread
 * may read them.
 */
final class Commits {
    /** Number of the latest commits of each row whose times are known. */
    private static final int REMEMBERED = 4_096;
    /** Distance from the oldest known time that a lookup keeps, since the writer may commit during the lookup. */
    private static final int MARGIN = 64;

    private final AtomicLongArray last;
    private final AtomicLongArray times;

    Commits(int rows) {
        this.last = new AtomicLongArray(rows);
        this.times = new AtomicLongArray(rows * REMEMBERED);
    }

    void acknowledged(int row, long version, long now) {
        times.set(place(row, version), now);
        last.set(row, version);
    }

    /** Returns the last acknowledged version of a row; 0 before the first one. */
    long last(int row) {
        return last.get(row);
    }

    /** Returns when the version was acknowledged, or when a later one was, if the version is too old. */
    long time(int row, long version) {
        return times.get(place(row, Math.max(version, last(row) - REMEMBERED + MARGIN)));
    }

    private static int place(int row, long version) {
        return row * REMEMBERED + (int) (version % REMEMBERED);
    }
}
