package io.multimed.bench.series;

import io.multimed.bench.BenchException;
import io.multimed.bench.measure.Inside;

/** Looks into a system while the window is open. */
interface Observer {
    /** Sees nothing. */
    Observer BLIND = new Observer() {
        @Override
        public void begin() {
            // Nothing.
        }

        @Override
        public Inside end() {
            return Inside.NOTHING;
        }
    };

    /** The window is about to open. */
    void begin() throws BenchException;

    /** The window is closed; nothing if it was never open. */
    Inside end();
}
