package io.multimed.core.counters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class WaitTimesTest {
    @Test
    void everyWaitIsCountedUnderATimeThatIsAtMostAnEighthLonger() {
        for (long micros = 0; micros < 1L << 38; micros = micros * 9 / 8 + 1) {
            WaitTimes waits = new WaitTimes();
            waits.add(micros * 1_000 + 999);
            long atMost = waits.byMicros().keySet().iterator().next();
            assertTrue(atMost >= micros && atMost <= micros + micros / 8, micros + " under " + atMost);
        }
    }

    @Test
    void waitsOfSeveralLoopsAddUp() {
        WaitTimes one = new WaitTimes();
        WaitTimes other = new WaitTimes();
        one.add(3_000);
        one.add(3_000);
        other.add(3_000);
        other.add(9_000);
        Map<Long, Long> all = new TreeMap<>();
        one.addTo(all);
        other.addTo(all);
        assertEquals(Map.of(3L, 3L, 9L, 1L), all);
    }

    @Test
    void nothingIsTooLong() {
        WaitTimes waits = new WaitTimes();
        waits.add(Long.MAX_VALUE);
        assertEquals(1, waits.byMicros().size());
    }
}
