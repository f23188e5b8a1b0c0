package io.multimed.core.polling;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Whether a thread that finds nothing ready asks again at once instead of going to sleep.
 *
 * <p>To be woken takes a processor that has nothing else to do tens of microseconds, more in a virtual machine: as long as an
 * engine takes for a short statement. A thread that is asked for something again so soon gains by not having slept. One that is
 * not gives that up, and tries it once in a while. Between asking it lets others have the processor (sched_yield(2)).
 *
 * <p>Used by one thread.
 */
public final class BusyPoll {
    /** Times that it sleeps at once, before it tries again. */
    private static final int MOST_RESTED = 63;

    private final long mostNanos;
    private final LongSupplier clock;
    private boolean polling;
    private long sinceNanos;
    /** How often it sleeps at once after an attempt in vain: doubled each time. */
    private int rest;

    private int resting;

    /**
     * @param most how long it asks again without finding anything; zero for never
     * @param clock in nanoseconds
     */
    public BusyPoll(Duration most, LongSupplier clock) {
        this.mostNanos = most.toNanos();
        this.clock = clock;
    }

    /** Nothing is ready. @return whether to ask again at once; if not, the thread is to sleep */
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

    /** Something is ready. */
    public void found() {
        if (polling) {
            polling = false;
            rest = 0;
        }
    }
}
