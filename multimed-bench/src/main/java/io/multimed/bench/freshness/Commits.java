package io.multimed.bench.freshness;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What writers were told is committed. A row has one writer, who numbers its commits from 1 and tells of each; anybody may ask.
 */
final class Commits {
    /** Of each row, whose times are known. */
    private static final int REMEMBERED = 4_096;
    /** While somebody asks, the writer goes on. */
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

    /** 0 before the first one. */
    long last(int row) {
        return last.get(row);
    }

    /** When it was acknowledged; when a later one was, if that is too long ago. */
    long time(int row, long version) {
        return times.get(place(row, Math.max(version, last(row) - REMEMBERED + MARGIN)));
    }

    private static int place(int row, long version) {
        return row * REMEMBERED + (int) (version % REMEMBERED);
    }
}
