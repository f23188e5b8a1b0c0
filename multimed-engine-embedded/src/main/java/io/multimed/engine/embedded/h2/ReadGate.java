package io.multimed.engine.embedded.h2;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Counts the reads under way in one engine, and keeps new ones out while the contents change in place.
 *
 * <p>Any number of threads read; one at a time shuts the gate, for about ten microseconds.
 */
final class ReadGate {
    private static final int SHUT = 1 << 30;
    /**
     * Number of times that the state is checked for the end of point reads before the gate is opened again: about a microsecond.
     */
    private static final int SPINS = 64;

    private static final int YIELDS = 64;
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    /** Number of reads under way, plus {@link #SHUT} while the gate is shut. */
    private final AtomicInteger state = new AtomicInteger();

    private volatile boolean lost;

    /**
     * Begins a read, at once or as soon as the gate is open.
     *
     * @return false if the gate will never be open again
     */
    boolean enter() {
        for (int i = 0; !lost; i++) {
            if (state.get() < SHUT) {
                if (state.incrementAndGet() < SHUT) {
                    return true;
                }
                state.decrementAndGet();
            }
            pause(i);
        }
        return false;
    }

    private static void pause(int times) {
        if (times < SPINS) {
            Thread.onSpinWait();
        } else if (times < SPINS + YIELDS) {
            // The thread that has shut the gate may be waiting for this processor.
            Thread.yield();
        } else {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    void leave() {
        state.decrementAndGet();
    }

    /**
     * Keeps new reads out, unless reads under way do not end within a moment.
     *
     * @return whether there are no reads now
     */
    boolean shut() {
        state.addAndGet(SHUT);
        for (int i = 0; i < SPINS; i++) {
            if (state.get() == SHUT) {
                return true;
            }
            Thread.onSpinWait();
        }
        open();
        return false;
    }

    void open() {
        state.addAndGet(-SHUT);
    }

    /** Keeps all reads out for ever, because a change was left incomplete and must not be seen. */
    void loseReaders() {
        lost = true;
    }
}
