package io.multimed.endpoint.pg.session.reads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.node.NodeContents;
import io.multimed.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Expected processor time of reads, and the conditions for measuring it. */
class ReadCostsTest {
    private static final long WHOLE = NodeContents.WHOLE_BIT;
    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;

    private long now;
    private final ReadCosts costs = new ReadCosts(() -> now, true, false, null);
    private final List<Statement> read = List.of(new Statement.Read(false));
    private final List<Statement> other = List.of(new Statement.Read(false));
    private final List<Statement> both = List.of(read.getFirst(), other.getFirst());

    @Test
    void areMeasuredTheFirstThreeTimes() {
        for (int i = 0; i < 3; i++) {
            assertTrue(costs.areToBeTimed(read));
            measure(read, MICRO);
        }
        assertFalse(costs.areToBeTimed(read));
        assertTrue(costs.areToBeTimed(other));
    }

    @Test
    void areNotMeasuredWhereThatIsImpossible() {
        assertFalse(new ReadCosts(() -> now, false, false, null).areToBeTimed(read));
    }

    @Test
    void areMeasuredOnceInAWhileAfterThat() {
        measureThreeTimes(read, MICRO);
        int due = 0;
        for (int i = 0; i < 1024; i++) {
            due += costs.areToBeTimed(read) ? 1 : 0;
        }
        assertEquals(4, due);
    }

    @Test
    void areMeasuredNoMoreThanThreeTimesAtOnceWhileNoneHasEnded() {
        costs.areToBeTimed(read);
        for (int i = 0; i < 3; i++) {
            costs.timed(read, WHOLE);
        }
        assertFalse(costs.areToBeTimed(read));
    }

    @Test
    void areMeasuredAgainInsteadOfThoseThatCameToNothing() {
        costs.areToBeTimed(read);
        for (int i = 0; i < 3; i++) {
            costs.timed(read, WHOLE);
        }
        costs.gaveUpTiming(read, WHOLE);
        assertTrue(costs.areToBeTimed(read));
        costs.timed(read, WHOLE);
        assertFalse(costs.areToBeTimed(read));
    }

    @Test
    void areNotMeasuredAgainBecauseALaterTimeCameToNothing() {
        measureThreeTimes(read, MICRO);
        costs.timed(read, WHOLE);
        costs.gaveUpTiming(read, WHOLE);
        assertFalse(costs.areToBeTimed(read));
    }

    /** Object-relational mappers produce so many reads. */
    @Test
    void areKnownThoughThereAreThousands() {
        List<List<Statement>> reads = distinct(16_384);
        reads.forEach(each -> measureThreeTimes(each, 5 * MILLI));
        reads.forEach(each -> assertEquals(5 * MILLI, costs.expectedNanos(each)));
    }

    @Test
    void areForgottenOnlyTheEldestWhenThereAreTooMany() {
        List<List<Statement>> reads = distinct(16_385);
        reads.forEach(each -> measureThreeTimes(each, 5 * MILLI));
        assertEquals(0, costs.expectedNanos(reads.getFirst()));
        reads.stream().skip(1).forEach(each -> assertEquals(5 * MILLI, costs.expectedNanos(each)));
    }

    private static List<List<Statement>> distinct(int count) {
        return Stream.generate(() -> List.<Statement>of(new Statement.Read(false)))
                .limit(count)
                .toList();
    }

    @Test
    void areMeasuredWithTheBeginThatCameWithThemAndParsed() {
        Statement begin = new Statement.Begin("BEGIN", Optional.empty(), Optional.of(true), Optional.empty());
        List<Statement> unit = List.of(begin, read.getFirst(), read.getFirst());
        assertTrue(costs.areToBeTimed(unit));
        measureThreeTimes(unit, 5 * MILLI);
        assertEquals(5 * MILLI, costs.expectedNanos(read));
        assertEquals(0, costs.expectedNanos(List.of(begin)));
    }

    /** The time could not be attributed to one of them. */
    @Test
    void areNotMeasuredTogetherWithOthers() {
        assertFalse(costs.areToBeTimed(both));
        costs.timed(both, WHOLE);
        costs.took(both, WHOLE, 5 * MILLI);
        assertEquals(0, costs.expectedNanos(both));
    }

    @Test
    void areNotMeasuredInABatch() {
        assertFalse(costs.areToBeTimed(List.of(read.getFirst(), read.getFirst(), read.getFirst())));
    }

    @Test
    void areLongFromAMillisecondOn() {
        measureThreeTimes(read, MILLI - 1);
        assertEquals(0, costs.expectedNanos(read));
        measureThreeTimes(other, MILLI);
        assertEquals(MILLI, costs.expectedNanos(other));
        assertEquals(MILLI, costs.expectedNanos(both));
    }

    /** The engine's process may have looked up the table for the first time. */
    @Test
    void areExpectedToTakeTheLeastOfTheFirstThree() {
        measure(read, 8 * MILLI);
        measure(read, 40 * MICRO);
        measure(read, 9 * MILLI);
        assertEquals(0, costs.expectedNanos(read));
        measure(other, 8 * MILLI);
        measure(other, 7 * MILLI);
        assertEquals(0, costs.expectedNanos(other));
        measure(other, 9 * MILLI);
        assertEquals(7 * MILLI, costs.expectedNanos(other));
    }

    @Test
    void areExpectedToTakeWhatTheyTookOfLate() {
        measureThreeTimes(read, 8 * MILLI);
        measure(read, 16 * MILLI);
        assertEquals(9 * MILLI, costs.expectedNanos(read));
        measure(read, MILLI);
        assertEquals(8 * MILLI, costs.expectedNanos(read));
        for (int i = 0; i < 30; i++) {
            measure(read, 10 * MICRO);
        }
        assertEquals(0, costs.expectedNanos(read));
    }

    @Test
    void thoseThatHeldOthersUpAreLongForAWhile() {
        holdUpTwice(read);
        assertEquals(20 * MILLI, costs.expectedNanos(read));
        now = 51 * MILLI;
        assertEquals(0, costs.expectedNanos(read));
    }

    /** Such reads may wait for something else than a processor. */
    @Test
    void thoseThatHeldOthersUpAndWereMeasuredTakeWhatTheyTook() {
        measureThreeTimes(read, 30 * MICRO);
        holdUpTwice(read);
        assertEquals(100 * MICRO, costs.expectedNanos(read));
        measureThreeTimes(other, 300 * MICRO);
        holdUpTwice(other);
        assertEquals(300 * MICRO, costs.expectedNanos(other));
    }

    private void measureThreeTimes(List<Statement> unit, long nanos) {
        for (int i = 0; i < 3; i++) {
            measure(unit, nanos);
        }
    }

    private void measure(List<Statement> unit, long nanos) {
        costs.areToBeTimed(unit);
        costs.timed(unit, WHOLE);
        costs.took(unit, WHOLE, nanos);
    }

    private void holdUpTwice(List<Statement> unit) {
        now -= 50 * MILLI;
        costs.heldOthersUp(unit);
        now += 50 * MILLI;
        costs.heldOthersUp(unit);
    }
}
