package io.multimed.server.satellite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.engine.postgresql.comparison.ComparedTable;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparisonRoundTest {
    private static final long SHORT = 1_000;
    private static final String TOO_LONG = "57014";

    private final ComparisonRound round = new ComparisonRound();
    private final ComparedTable small = new ComparedTable(1, "small", 1);
    private final ComparedTable large = new ComparedTable(2, "large", ComparisonRound.MOST_BLOCKS + 10L);

    private void begin() {
        round.begin(List.of("one", "two"));
        assertEquals("one", round.nextDatabase());
        round.found(List.of(small, large));
    }

    @Test
    void comparesEachPartOfEachTableOnce() {
        begin();
        assertEquals(small, round.table());
        round.compared(SHORT);
        assertEquals(large, round.table());
        assertEquals(0, round.block());
        round.compared(SHORT);
        assertEquals(large, round.table());
        assertEquals(ComparisonRound.MOST_BLOCKS, round.block());
        round.compared(SHORT);
        assertNull(round.table());
        assertEquals("two", round.nextDatabase());
        assertNull(round.table(), "its tables are to be found first");
        assertNull(round.nextDatabase(), "the round is over");
    }

    @Test
    void partsBecomeSmallerAfterALongLookAndGrowAgain() {
        begin();
        round.compared(ComparisonRound.LONG.toNanos() + 1);
        assertEquals(ComparisonRound.MOST_BLOCKS / 2, round.end());
        round.compared(SHORT);
        assertEquals(ComparisonRound.MOST_BLOCKS / 2 + ComparisonRound.MOST_BLOCKS, round.end());
    }

    @Test
    void aPartThatCannotBeComparedIsTriedAsOneBlockAndThenPassedOver() {
        begin();
        round.compared(SHORT);
        round.passOver(TOO_LONG);
        assertTrue(round.isOneBlock());
        assertEquals(0, round.block());
        round.passOver(TOO_LONG);
        assertEquals(1, round.block());
        assertTrue(round.isOneBlock());
        round.compared(SHORT);
        assertEquals(2, round.block());
        assertFalse(round.isOneBlock());
    }

    @Test
    void aTableThatIsGoneIsPassedOver() {
        begin();
        round.passOver("42P01");
        assertEquals(large, round.table());
    }

    @Test
    void aDatabaseThatIsGoneIsPassedOver() {
        begin();
        round.passOver("3D000");
        assertNull(round.table());
        assertEquals("two", round.nextDatabase());
    }
}
