package io.multimed.endpoint.pg.session.watch;

import io.multimed.endpoint.pg.session.exchange.Wait;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The waits of one unit: how long they take together, and the reason of the longest. Event loop only. */
final class UnitWaits {
    private final LongSupplier nanoTime;
    /** The reason of the wait that goes on now. */
    private @Nullable Wait present;

    private long presentBeganNanos;
    private long totalNanos;
    private @Nullable Wait longest;
    private long longestNanos;

    UnitWaits(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Begins with the next unit. */
    void clear() {
        present = null;
        totalNanos = 0;
        longest = null;
        longestNanos = 0;
    }

    void begin(Wait why) {
        present = why;
        presentBeganNanos = nanoTime.getAsLong();
    }

    /** Ends the present wait, if there is one. */
    void end() {
        if (present == null) {
            return;
        }
        long nanos = nanoTime.getAsLong() - presentBeganNanos;
        totalNanos += nanos;
        if (nanos >= longestNanos) {
            longestNanos = nanos;
            longest = present;
        }
        present = null;
    }

    /** Returns the time of all waits that have ended, in nanoseconds. */
    long totalNanos() {
        return totalNanos;
    }

    /** Returns the reason of the longest wait, in words; empty if there was none. */
    String longest() {
        Wait why = longest;
        return why == null ? "" : why.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
