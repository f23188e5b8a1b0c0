package io.multimed.core.polling;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Decides whether a thread that finds nothing ready polls again at once instead of going to sleep.
 *
 * <p>Waking a thread on an idle processor takes tens of microseconds, more in a virtual machine: as long as an engine takes for a
 * short statement. A thread that gets new work so soon gains by not sleeping. A thread that does not gives up polling, and tries it
 * again once in a while. Between polls it offers the processor to other threads (sched_yield(2)).
 *
 * <p>Used by one thread.
 */
public final class BusyPoll {
    /** Largest number of immediate sleeps before polling is tried again. */
    private static final int MOST_RESTED = 63;

    private final long mostNanos;
    private final LongSupplier clock;
    private boolean polling;
    private long sinceNanos;
    /** Number of immediate sleeps after an attempt in vain; roughly doubled each time. */
    private int rest;

    private int resting;

    /**
     * Creates the decision for one thread.
     *
     * @param most longest time of polling without finding anything; zero for never
     * @param clock in nanoseconds
     */
    public BusyPoll(Duration most, LongSupplier clock) {
        this.mostNanos = most.toNanos();
        this.clock = clock;
    }

    /** Called when nothing is ready. @return whether to poll again at once; if not, the thread is to sleep */
    public boolean again() {
        if (mostNanos == 0) {
            return false;
        }
        if (!polling) {
            if (resting > 0) {
                resting--;
                return false;
            }
            polling = true;
            sinceNanos = clock.getAsLong();
        } else if (clock.getAsLong() - sinceNanos >= mostNanos) {
            polling = false;
            rest = Math.min(2 * rest + 1, MOST_RESTED);
            resting = rest;
            return false;
        }
        Thread.yield();
        return true;
    }

    /** Called when something is ready. */
    public void found() {
        if (polling) {
            polling = false;
            rest = 0;
        }
    }
}
