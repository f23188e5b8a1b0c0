package io.multimed.bench.series;

import io.multimed.bench.BenchException;
import io.multimed.bench.measure.Inside;

/** Looks into a system while the window is open. */
interface Observer {
    /** An observer that sees nothing. */
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

    /** Called when the window is about to open. */
    void begin() throws BenchException;

    /** Called when the window is closed; returns no observations if it was never open. */
    Inside end();
}
