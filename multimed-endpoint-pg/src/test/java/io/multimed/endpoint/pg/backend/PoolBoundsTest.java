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

    /** Of those that have come to yield since each has left room among the usual ones, but not for ever more in all. */
    @Test
    void noMoreThanAllTogetherAreOpenedHoweverManyHaveComeToYield() {
        assertTrue(bounds.allow(false, 10, 9));
        assertFalse(bounds.allow(false, 10, 10));
    }

    /** Otherwise one would be closed for the other and the other for the one, in turn. */
    @Test
    void neitherMayBeOpenedInPlaceOfTheOtherInTurn() {
        for (int yielding = 0; yielding <= 20; yielding++) {
            // Closed for a usual one, so that it yields no more: then there must be no room for one that does.
            assertFalse(bounds.areExceeded(yielding) && bounds.allow(true, 16, yielding - 1), yielding + " yield");
        }
    }
}
