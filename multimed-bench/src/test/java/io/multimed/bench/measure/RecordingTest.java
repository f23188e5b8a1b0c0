package io.multimed.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class RecordingTest {
    private static final long SECOND = 1_000_000_000;

    private final MeasuredOperations recording =
            new MeasuredOperations(List.of(new MeasuredOperations.Kind("A", "A", true, true, 100)), 0, 100);

    @Test
    void theCourseBeginsWithTheClientsAndNotWithTheirConnecting() {
        recording.begin(17 * SECOND);
        recording.completed(0, 17 * SECOND, 18 * SECOND + 1);
        recording.openWindow(19 * SECOND);
        recording.completed(0, 19 * SECOND, 19 * SECOND + 1);
        recording.closeWindow(20 * SECOND);
        Measured measured = recording.measured(Used.NOTHING, Inside.NOTHING);
        assertEquals(List.of(0, 1, 1), measured.series());
        assertEquals(2, measured.warmupSeconds());
    }

    @Test
    void onlyWhatCompletesWithinTheWindowCounts() {
        recording.completed(0, 0, SECOND - 1);
        recording.openWindow(SECOND);
        // This one began before the window and completed within it.
        recording.completed(0, SECOND / 2, SECOND);
        recording.completed(0, SECOND, 3 * SECOND - 1);
        recording.closeWindow(3 * SECOND);
        recording.completed(0, SECOND, 3 * SECOND);
        Measured measured = recording.measured(Used.NOTHING, Inside.NOTHING);
        assertEquals(2, measured.completed());
        assertEquals(1, measured.perSecond());
        assertEquals(2_000, measured.all().max(), 2);
    }
}
