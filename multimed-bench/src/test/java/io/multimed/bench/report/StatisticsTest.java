package io.multimed.bench.report;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.bench.measure.Inside;
import io.multimed.bench.measure.Machine;
import io.multimed.bench.measure.MeasuredOperations;
import io.multimed.bench.measure.Used;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StatisticsTest {
    /** The first of its repetition, of a second. */
    private static Run run(String system, String started, int perSecond, String contradiction) {
        MeasuredOperations recording =
                new MeasuredOperations(List.of(new MeasuredOperations.Kind("A", "A", true, true, 100)), 0, 10);
        recording.openWindow(0);
        for (int i = 0; i < perSecond; i++) {
            recording.completed(0, 0, 8_000_000);
        }
        recording.closeWindow(1_000_000_000);
        return new Run(
                "tpcw browsing",
                system,
                "",
                1,
                started,
                "0",
                new Machine("a processor", 2, 1L << 30, "6", "25"),
                Map.of(),
                Map.of(),
                recording.measured(Used.NOTHING, Inside.NOTHING),
                List.of(),
                List.of(new Run.Check("rows are whole", contradiction)),
                false,
                "");
    }

    @Test
    void ofACommandThatWasGivenTwiceRunsOfTheSameHourArePairs() {
        List<Run> against = List.of(
                run("standalone", "2026-01-31T08:00:00Z", 100, ""), run("standalone", "2026-02-01T08:00:00Z", 50, ""));
        List<Run> runs = List.of(
                run("multimed", "2026-01-31T08:01:00Z", 300, "item 3 is missing"),
                run("multimed", "2026-02-01T08:01:00Z", 200, ""));
        assertArrayEquals(new double[] {4}, Statistics.ratios(runs, against));
    }

    @Test
    void fewerThanFiveBoundTheirMedianByTheirLeast() {
        assertEquals(1, Statistics.lowerBound(2, 1));
        assertEquals(1, Statistics.lowerBound(9, 4, 1, 5));
        assertEquals(Double.NaN, Statistics.bound(new double[] {2}));
        double[] many = {1, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10};
        assertTrue(Statistics.lowerBound(many) > 1, "of many one alone does not matter");
    }
}
