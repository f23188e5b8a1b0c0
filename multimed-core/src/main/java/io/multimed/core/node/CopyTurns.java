package io.multimed.core.node;

import java.util.ArrayDeque;

/**
 * Turns to copy from the Master, granted in order of request. Shared by all Satellites: one copy after the other disturbs the
 * Master less than all at once, and the first one serves earlier.
 */
public final class CopyTurns {
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private int free;

    /** @param atOnce number of copies that may run at the same time */
    public CopyTurns(int atOnce) {
        if (atOnce < 1) {
            throw new IllegalArgumentException("copies at once: " + atOnce);
        }
        free = atOnce;
    }

    /** Calls {@code turn}, on this thread or another, when a copy may begin; {@link #done} must follow. */
    void request(Runnable turn) {
        synchronized (waiting) {
            if (free == 0) {
                waiting.addLast(turn);
                return;
            }
            free--;
        }
        turn.run();
    }

    /** Ends a turn. */
    void done() {
        Runnable next;
        synchronized (waiting) {
            next = waiting.pollFirst();
            if (next == null) {
                free++;
                return;
            }
        }
        next.run();
    }
}
