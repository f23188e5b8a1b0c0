package io.multimed.engine.embedded.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Lifetime of a database: counts its sessions, and ends it with the last one, or with a Master that has outlived its sessions for a
 * while.
 */
final class Lifetime {
    /** Interval at which a lingering Master is checked; engines measure their delay in seconds. */
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Masters masters;
    private final Runnable release;
    /** Tasks to be run when the database has ended. Guarded by itself. */
    private final List<Runnable> whenEnded = new ArrayList<>();

    private volatile boolean closed;
    /** Guarded by this. */
    private int sessions;
    /** Whether a thread waits for the end of a lingering Master. Guarded by this. */
    private boolean lingering;

    /**
     * Creates the lifetime of a database that has just been opened.
     *
     * @param release ends the engines when the database ends, perhaps more than once
     */
    Lifetime(Masters masters, Runnable release) {
        this.masters = masters;
        this.release = release;
    }

    /** Whether the database has ended, with its last connection or by {@link #close}. */
    boolean closed() {
        return closed;
    }

    /** Whether the database has ended, by {@link #close} or by the engine's own rule. */
    boolean hasEnded() {
        if (closed) {
            return true;
        }
        Epoch now = masters.epochIfAny();
        synchronized (this) {
            return sessions == 0
                    && now != null
                    && now.master().ended()
                    && (now.master().lingers() || now.master().persistent());
        }
    }

    /** Counts a new session. Returns false if the last session has closed the database; then the engine must be opened anew. */
    synchronized boolean sessionOpened() {
        if (closed) {
            return false;
        }
        sessions++;
        return true;
    }

    /** Counts out a session. The database may end with the last one. */
    void sessionClosed() {
        Epoch now = masters.epochIfAny();
        synchronized (this) {
            if (--sessions > 0) {
                return;
            }
            if (now != null && now.master().outlivesConnections()) {
                if (now.master().lingers()) {
                    // From now on the Master may end.
                    now.master().release();
                    endWithMaster();
                }
                return;
            }
            // Under the lock, so that a new session cannot use this database any more.
            closed = true;
        }
        close();
    }

    /**
     * Starts a thread that waits for the end of a lingering Master. Such a Master ends without notice unless a session connects in
     * time. Holding this.
     */
    private void endWithMaster() {
        if (!lingering) {
            lingering = true;
            Thread thread = new Thread(this::linger, "multimed-lingering");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void linger() {
        do {
            LockSupport.parkNanos(this, LINGER_NANOS);
        } while (lingers());
        if (closed) {
            close();
        }
    }

    private synchronized boolean lingers() {
        if (hasEnded()) {
            closed = true;
        }
        lingering = sessions == 0 && !closed;
        return lingering;
    }

    /** Closes the database as {@link #close} does, if there is no session. */
    void closeUnused() {
        synchronized (this) {
            if (sessions > 0) {
                return;
            }
            // Under the lock, so that a new session cannot use this database any more.
            closed = true;
        }
        close();
    }

    /** Ends the database. Idempotent. */
    void close() {
        closed = true;
        release.run();
        List<Runnable> waiting;
        synchronized (whenEnded) {
            waiting = List.copyOf(whenEnded);
            whenEnded.clear();
        }
        waiting.forEach(Runnable::run);
    }

    /** Runs a task when the database has ended; at once if it has. */
    void whenEnded(Runnable then) {
        synchronized (whenEnded) {
            if (!closed) {
                whenEnded.add(then);
                return;
            }
        }
        then.run();
    }
}
