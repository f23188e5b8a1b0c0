package io.multimed.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One shape that is being analysed, and who waits for it. Any thread. */
final class PendingShape {
    /**
     * What tells shapes apart.
     *
     * @param high half of the shape's hash
     * @param low the other half
     * @param catalog the version of the catalog
     */
    record Key(long high, long low, long catalog) {}

    private final Key key;
    private final Verb verb;
    private final byte[] sql;
    private final DatabaseCatalog catalog;
    private boolean started;
    private long startedAt;
    private volatile @Nullable Future<?> alarm;
    private final Consumer<PendingShape> onSettled;
    private @Nullable List<Consumer<ClassifiedSql>> waiting = new ArrayList<>();

    PendingShape(Key key, Verb verb, byte[] sql, DatabaseCatalog catalog, Consumer<PendingShape> onSettled) {
        this.key = key;
        this.verb = verb;
        this.sql = sql;
        this.catalog = catalog;
        this.onSettled = onSettled;
    }

    Key key() {
        return key;
    }

    Verb verb() {
        return verb;
    }

    byte[] sql() {
        return sql;
    }

    DatabaseCatalog catalog() {
        return catalog;
    }

    /** Whether its analysis began so many nanoseconds ago. */
    synchronized boolean isStartedSince(long nanos) {
        return started && System.nanoTime() - startedAt > nanos;
    }

    /** Its analysis begins. @return false if nobody waits for it any more */
    synchronized boolean start() {
        if (waiting == null) {
            return false;
        }
        started = true;
        startedAt = System.nanoTime();
        return true;
    }

    /** What rings unless it is settled before. */
    void alarm(Future<?> alarm) {
        this.alarm = alarm;
    }

    synchronized boolean settled() {
        return waiting == null;
    }

    /** Adds one who waits; false if it is settled already. */
    synchronized boolean await(Consumer<ClassifiedSql> then) {
        if (waiting == null) {
            return false;
        }
        waiting.add(then);
        return true;
    }

    /**
     * Removes one who waits. What nobody waits for is settled, unless its analysis has begun: that is bounded, and its
     * result is for those who ask next.
     *
     * @return whether it was settled by this
     */
    boolean leave(Consumer<ClassifiedSql> then) {
        synchronized (this) {
            if (waiting == null || !waiting.remove(then) || started || !waiting.isEmpty()) {
                return false;
            }
            waiting = null;
        }
        end();
        return true;
    }

    /** Tells all who wait; only the first call counts. */
    void settle(ClassifiedSql classified) {
        List<Consumer<ClassifiedSql>> told;
        synchronized (this) {
            if (waiting == null) {
                return;
            }
            told = waiting;
            waiting = null;
        }
        end();
        for (Consumer<ClassifiedSql> each : told) {
            each.accept(classified);
        }
    }

    private void end() {
        Future<?> ringing = alarm;
        if (ringing != null) {
            ringing.cancel(false);
        }
        onSettled.accept(this);
    }
}
