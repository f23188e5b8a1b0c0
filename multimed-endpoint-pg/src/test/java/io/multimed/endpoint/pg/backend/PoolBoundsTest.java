package io.multimed.endpoint.pg.backend;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PoolBoundsTest {
    private final PoolBounds bounds = PoolBounds.of(16, 2);

    @Test
    void twoForEachThatRunsSideBySideMayYieldOnTopOfTheUsualOnes() {
        assertTrue(bounds.allow(false, 15, 4));
        assertFalse(bounds.allow(false, 16, 0));
        assertTrue(bounds.allow(true, 16, 3));
        assertFalse(bounds.allow(true, 0, 4));
    }

    /** Each connection that has come to yield leaves room among the usual ones, but the total number is bounded. */
    @Test
    void noMoreThanAllTogetherAreOpenedHoweverManyHaveComeToYield() {
        assertTrue(bounds.allow(false, 10, 9));
        assertFalse(bounds.allow(false, 10, 10));
    }

    /** Otherwise the two kinds would close connections of each other in turn. */
    @Test
    void neitherMayBeOpenedInPlaceOfTheOtherInTurn() {
        for (int yielding = 0; yielding <= 20; yielding++) {
            // A yielding connection was closed for a usual one; there must be no room for opening a yielding one again.
            assertFalse(bounds.areExceeded(yielding) && bounds.allow(true, 16, yielding - 1), yielding + " yield");
        }
    }
}
