package io.multimed.core.propagation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class LagMeterTest {
    private static final long MS = 1_000_000;

    private final LagMeter meter = new LagMeter();

    @Test
    void tellsTheAgeOfTheOldestCommitThatIsNotApplied() {
        meter.sample(10 * MS, 100);
        meter.sample(20 * MS, 200);
        meter.sample(30 * MS, 300);
        assertEquals(0, meter.lagMillis(50 * MS, 300));
        assertEquals(20, meter.lagMillis(50 * MS, 299));
        assertEquals(30, meter.lagMillis(50 * MS, 100));
        assertEquals(40, meter.lagMillis(50 * MS, 0));
    }

    @Test
    void anUnchangedFloorDoesNotAge() {
        meter.sample(10 * MS, 100);
        meter.sample(500 * MS, 100);
        assertEquals(490, meter.lagMillis(500 * MS, 99));
        assertEquals(0, meter.lagMillis(500 * MS, 100));
    }

    @Test
    void knowsNothingBeforeTheFirstCommit() {
        assertEquals(0, meter.lagMillis(50 * MS, 0));
    }

    @Test
    void forgetsTheOldestOfVeryMany() {
        for (int commit = 1; commit <= 10_000; commit++) {
            meter.sample(commit * MS, commit);
        }
        assertEquals(1, meter.lagMillis(10_001 * MS, 9_999));
        assertEquals(4096, meter.lagMillis(10_001 * MS, 0));
    }
}
