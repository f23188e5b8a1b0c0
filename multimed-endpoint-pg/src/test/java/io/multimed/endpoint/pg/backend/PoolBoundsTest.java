package io.multimed.endpoint.pg.backend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoolBoundsTest {
    private static final PoolKey USUAL = new PoolKey("postgres", "one", Map.of());
    private static final PoolKey YIELDING = USUAL.yieldingOnes();

    /** Two for each that runs, unless that would leave too few to the others. */
    @ParameterizedTest
    @CsvSource({"16, 2, 4", "32, 8, 16", "6, 2, 2", "4, 2, 0", "1, 1, 0", "1, 4, 0"})
    void someAreKeptForReadsThatYield(int most, int sideBySide, int kept) {
        assertEquals(kept, PoolBounds.of(most, sideBySide).yielding());
    }

    /** Otherwise one would be closed for the other and the other for the one, in turn. */
    @Test
    void neverMayEachReplaceTheOther() {
        PoolBounds bounds = PoolBounds.of(16, 2);
        for (int yielding = 0; yielding <= 16; yielding++) {
            boolean byOneThatYields = bounds.mayReplace(YIELDING, yielding);
            // Then there is one more that yields.
            assertFalse(byOneThatYields && bounds.mayReplace(USUAL, yielding + 1), yielding + " yield");
        }
    }

    @Test
    void whatIsMoreThanKeptMakesRoomForTheOthers() {
        PoolBounds bounds = PoolBounds.of(16, 2);
        assertTrue(bounds.mayReplace(USUAL, 5));
        assertFalse(bounds.mayReplace(USUAL, 4));
        assertTrue(bounds.mayReplace(YIELDING, 3));
        assertFalse(bounds.mayReplace(YIELDING, 4));
    }
}
