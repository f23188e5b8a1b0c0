package io.multimed.bench.series;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class WarmupTest {
    private final Warmup warmup = new Warmup(6, 9);

    @Test
    void endsOnceThreeSecondsComeToNoMoreThanTheThreeBefore() {
        assertFalse(warmup.enough(List.of(10, 10, 10, 20, 20, 20)), "rising");
        assertTrue(warmup.enough(List.of(20, 21, 20, 20, 19, 20)), "flat");
        assertTrue(warmup.enough(List.of(20, 20, 20, 5, 5, 5)), "falling");
    }

    @Test
    void takesItsLeastAndNoMoreThanItsMost() {
        assertFalse(warmup.enough(List.of(20, 20, 20, 20, 20)), "too short to tell");
        assertTrue(warmup.enough(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9)), "rising still");
    }

    @Test
    void ofANumberOfSecondsItIsThatLong() {
        assertTrue(Warmup.of(0).enough(List.of()));
        assertFalse(Warmup.of(8).enough(List.of(20, 20, 20, 20, 20, 20, 20)));
        assertTrue(Warmup.of(1).enough(List.of(0)));
        assertEquals("30", Warmup.of(30).text());
    }
}
