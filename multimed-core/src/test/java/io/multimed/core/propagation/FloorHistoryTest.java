package io.multimed.core.propagation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FloorHistoryTest {
    private final FloorHistory history = new FloorHistory();

    @Test
    void knowsNothingWithoutASample() {
        assertEquals(MasterLog.UNKNOWN, history.floorAt(0));
    }

    @ParameterizedTest
    @CsvSource({
        // requested time, floor: never the floor of an earlier time
        "0, 100",
        "10, 100",
        "11, 200",
        "20, 200",
        "21, 300",
        "30, 300",
        "31, -1"
    })
    void givesTheFloorOfTheFirstSampleThenOrLater(long time, long floor) {
        history.sample(10, 100);
        history.sample(20, 200);
        history.sample(30, 300);

        assertEquals(floor, history.floorAt(time));
    }

    @Test
    void recordsNothingWhileThereIsNoFloor() {
        history.sample(10, 100);
        history.sample(20, MasterLog.UNKNOWN);
        assertEquals(MasterLog.UNKNOWN, history.floorAt(15));

        history.sample(30, 300);
        assertEquals(300, history.floorAt(15));
    }

    @Test
    void forgetsTheOldestAndIsStricterThen() {
        for (int i = 0; i < 5_000; i++) {
            history.sample(i, 10L * i);
        }

        assertEquals(10L * (5_000 - 1_024), history.floorAt(0));
        assertEquals(10L * 4_500, history.floorAt(4_500));
        assertEquals(10L * 4_999, history.floorAt(4_999));
        assertEquals(MasterLog.UNKNOWN, history.floorAt(5_000));
    }

    @Test
    void monotonicTimeMayPassThroughItsOverflow() {
        history.sample(Long.MAX_VALUE - 5, 100);
        history.sample(Long.MIN_VALUE + 5, 200);

        assertEquals(100, history.floorAt(Long.MAX_VALUE - 10));
        assertEquals(200, history.floorAt(Long.MAX_VALUE));
        assertEquals(200, history.floorAt(Long.MIN_VALUE));
    }
}
