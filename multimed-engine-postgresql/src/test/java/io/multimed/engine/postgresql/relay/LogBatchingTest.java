package io.multimed.engine.postgresql.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LogBatchingTest {
    private static final long NOW = 1_000_000_000;
    private static final int LITTLE = 500;

    private final LogBatching gathering = new LogBatching();

    @Test
    void logAfterAPauseGoesAtOnce() {
        assertTrue(gathering.due(NOW, NOW - LogBatching.SPAN, LITTLE) <= NOW);
        assertTrue(gathering.due(NOW, 0, LITTLE) <= NOW);
    }

    @Test
    void logSoonAfterTheLastIsGatheredWhileNobodyReads() {
        assertEquals(NOW - 1 + LogBatching.SPAN, gathering.due(NOW, NOW - 1, LITTLE));
    }

    @Test
    void muchLogGoesAtOnce() {
        assertTrue(gathering.due(NOW, NOW - 1, LogBatching.ENOUGH) <= NOW);
    }

    @Test
    void logGoesAtOnceWhileReadsRun() {
        gathering.look(NOW, 1, 0);
        assertTrue(gathering.due(NOW, NOW - 1, LITTLE) <= NOW);
    }

    @Test
    void logGoesAtOnceForAWhileAfterARead() {
        gathering.look(NOW, 0, 7);
        long later = NOW + LogBatching.LATELY - 1;
        gathering.look(later, 0, 7);
        assertTrue(gathering.due(later, later - 1, LITTLE) <= later);
        assertEquals(later + LogBatching.SPAN, gathering.due(later + 1, later, LITTLE));
    }

    @Test
    void aReaderWhoWaitsIsOne() {
        gathering.demanded(NOW);
        assertTrue(gathering.due(NOW, NOW - 1, LITTLE) <= NOW);
    }
}
