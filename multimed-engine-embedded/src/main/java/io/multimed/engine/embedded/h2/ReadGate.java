package io.multimed.engine.embedded.h2;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Counts the reads under way in one engine, and keeps new ones out while its contents change under them.
 *
 * <p>Any number of threads read; one at a time shuts the gate, for some ten microseconds.
 */
final class ReadGate {
    private static final int SHUT = 1 << 30;
    /** How long point reads are waited for before the gate is opened again: about a microsecond. */
    private static final int SPINS = 64;

    private static final int YIELDS = 64;
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    /** Reads under way, plus {@link #SHUT}. */
    private final AtomicInteger state = new AtomicInteger();

    private volatile boolean lost;

    /** A read begins, at once or as soon as the gate is open. @return false if it will never be again */
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
            // Who has shut the gate may be waiting for this processor.
            Thread.yield();
        } else {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    void leave() {
        state.decrementAndGet();
    }

    /** Keeps new reads out, unless those under way do not end in a moment. @return whether there is none now */
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

    /** What was being changed is in no state that a read may see: nobody enters any more. */
    void loseReaders() {
        lost = true;
    }
}
