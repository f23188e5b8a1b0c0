package io.multimed.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One shape that is being analysed, with the callbacks that wait for it. Any thread. */
final class PendingShape {
    /**
     * Identity of a shape.
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

    /** Whether the shape's analysis began more than this many nanoseconds ago. */
    synchronized boolean isStartedSince(long nanos) {
        return started && System.nanoTime() - startedAt > nanos;
    }

    /**
     * Marks the analysis as begun.
     *
     * @return false if nothing waits for the shape any more
     */
    synchronized boolean start() {
        if (waiting == null) {
            return false;
        }
        started = true;
        startedAt = System.nanoTime();
        return true;
    }

    /** Sets the timer that expires unless the shape is settled before. */
    void alarm(Future<?> alarm) {
        this.alarm = alarm;
    }

    synchronized boolean settled() {
        return waiting == null;
    }

    /** Adds a waiting callback; returns false if the shape is settled already. */
    synchronized boolean await(Consumer<ClassifiedSql> then) {
        if (waiting == null) {
            return false;
        }
        waiting.add(then);
        return true;
    }

    /**
     * Removes a waiting callback. A shape without waiters is settled, unless its analysis has begun: the analysis is limited in
     * time, and its result serves later requests.
     *
     * @return whether this call settled the shape
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

    /** Passes the classification to all waiting callbacks. Only the first call has an effect. */
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
