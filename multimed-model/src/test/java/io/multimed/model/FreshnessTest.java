package io.multimed.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FreshnessTest {
    @Test
    void everyLagCanBeReckonedWithInNanoseconds() {
        assertThrows(IllegalArgumentException.class, () -> new Freshness.Eventual(Duration.ofNanos(-1)));
        assertEquals(5, new Freshness.Eventual(Duration.ofNanos(5)).maxLag().toNanos());
        // A client may request such a lag: 1,900 years.
        Freshness.Eventual forEver = new Freshness.Eventual(Duration.ofMinutes(999_999_999));
        assertTrue(forEver.maxLag().toNanos() > Duration.ofHours(1).toNanos());
    }
}
