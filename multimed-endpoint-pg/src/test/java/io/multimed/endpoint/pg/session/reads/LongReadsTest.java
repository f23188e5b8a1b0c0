package io.multimed.endpoint.pg.session.reads;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.endpoint.pg.session.SessionSql;
import io.multimed.sql.Statement;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Time for which a read that has held others up shares no connection. */
class LongReadsTest {
    private static final long MILLI = 1_000_000;

    private final LongReads reads = new LongReads();
    private final List<Statement> slow = List.of(new Statement.Read(false));
    private final List<Statement> other = List.of(new Statement.Read(false));

    @Test
    void isNoTimeAfterTheFirstSinceTheMachineMayHaveBeenSlow() {
        reads.heldOthersUp(slow, 0);
        assertFalse(sharesNothing(slow, 0));
    }

    @Test
    void countsOnceHoweverOftenItStandsInTheUnit() {
        List<Statement> batch = List.of(slow.getFirst(), slow.getFirst(), slow.getFirst());
        reads.heldOthersUp(batch, -50 * MILLI);
        assertFalse(sharesNothing(slow, 0));
        reads.heldOthersUp(batch, 0);
        assertFalse(sharesNothing(slow, 51 * MILLI));
        for (int i = 0; i < 99; i++) {
            reads.heldNobodyUp(batch);
        }
        assertTrue(sharesNothing(slow, 1));
    }

    /** BEGIN is the same object for all units. */
    @Test
    void areNotTheBeginThatCameWithThem() {
        Statement begin = new Statement.Begin("BEGIN", Optional.empty(), Optional.of(true), Optional.empty());
        holdUpTwice(List.of(begin, slow.getFirst()));
        assertTrue(sharesNothing(slow, 1));
        assertFalse(sharesNothing(List.of(begin, other.getFirst()), 1));
    }

    @Test
    void isShortAfterTheSecond() {
        holdUpTwice(slow);
        assertTrue(sharesNothing(slow, 49 * MILLI));
        assertFalse(sharesNothing(slow, 51 * MILLI));
        assertFalse(sharesNothing(other, 1));
    }

    @Test
    void doublesEachTimeUpToAMinute() {
        long now = 0;
        reads.heldOthersUp(slow, -50 * MILLI);
        for (long millis = 50; millis < 60_000; millis *= 2) {
            reads.heldOthersUp(slow, now);
            assertTrue(sharesNothing(slow, now + (millis - 1) * MILLI));
            now += (millis + 1) * MILLI;
            assertFalse(sharesNothing(slow, now));
        }
        reads.heldOthersUp(slow, now);
        assertTrue(sharesNothing(slow, now + 59_999 * MILLI));
        assertFalse(sharesNothing(slow, now + 60_001 * MILLI));
    }

    @Test
    void isOverWhenItHasHeldNobodyUpManyTimesInARow() {
        holdUpTwice(slow);
        for (int i = 0; i < 100; i++) {
            assertTrue(sharesNothing(slow, 1));
            reads.heldNobodyUp(slow);
        }
        reads.heldOthersUp(slow, 1);
        assertFalse(sharesNothing(slow, 1));
    }

    @Test
    void goesOnWhenItNowAndThenHoldsNobodyUp() {
        holdUpTwice(slow);
        for (int i = 0; i < 99; i++) {
            reads.heldNobodyUp(slow);
        }
        reads.heldOthersUp(slow, 200 * MILLI);
        assertTrue(sharesNothing(slow, 299 * MILLI));
    }

    /** When the resource that they wait for is blocked, they are all blocked. */
    @Test
    void isTheSameOnHoweverManyConnectionsItHeldOthersUpAtOnce() {
        holdUpOnManyConnections(0);
        assertFalse(sharesNothing(slow, 0));
        holdUpOnManyConnections(60 * MILLI);
        assertTrue(sharesNothing(slow, 109 * MILLI));
        assertFalse(sharesNothing(slow, 111 * MILLI));
        holdUpOnManyConnections(120 * MILLI);
        assertTrue(sharesNothing(slow, 219 * MILLI));
        assertFalse(sharesNothing(slow, 221 * MILLI));
    }

    private void holdUpOnManyConnections(long now) {
        for (int i = 0; i < 13; i++) {
            reads.heldOthersUp(slow, now + i * MILLI / 13);
        }
    }

    @Test
    void isForgottenOfTheEldestAloneWhenThereAreTooMany() {
        holdUpTwice(slow);
        holdUpTwice(other);
        for (int i = 0; i < 1022; i++) {
            reads.heldOthersUp(List.of(new Statement.Read(false)), 0);
        }
        assertTrue(sharesNothing(slow, 1));
        reads.heldOthersUp(List.of(new Statement.Read(false)), 0);
        assertFalse(sharesNothing(slow, 1));
        assertTrue(sharesNothing(other, 1));
    }

    private void holdUpTwice(List<Statement> read) {
        reads.heldOthersUp(read, -50 * MILLI);
        reads.heldOthersUp(read, 0);
    }

    private boolean sharesNothing(List<Statement> read, long now) {
        return reads.anyOf(read, () -> now);
    }

    @Test
    void isOfAShapeWhateverItsLiterals() {
        try (SessionSql sql = new SessionSql()) {
            holdUpTwice(sql.statements("SELECT 1 AS a"));
            assertTrue(sharesNothing(sql.statements("SELECT 2 AS a"), 1));
            assertFalse(sharesNothing(sql.statements("SELECT 1 AS b"), 1));
        }
    }
}
