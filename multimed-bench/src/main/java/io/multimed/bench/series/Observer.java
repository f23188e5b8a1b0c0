package io.multimed.bench.series;

import io.multimed.bench.BenchException;
import io.multimed.bench.measure.Inside;

/** Looks into a system while the window is open. */
interface Observer {
    /** An observer that sees nothing. */
    Observer BLIND = new Observer() {};

    /** Called when the window is about to open. */
    default void begin() throws BenchException {}

    /** Called when the window is closed; returns no observations if it was never open. */
    default Inside end() {
        return Inside.NOTHING;
    }
}
