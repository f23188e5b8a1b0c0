package io.multimed.core.propagation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FreshnessGateTest {
    private final AtomicInteger requests = new AtomicInteger();
    private final FreshnessGate gate = new FreshnessGate(requests::incrementAndGet);
    private final ArrayDeque<Runnable> loop = new ArrayDeque<>();
    private int rechecks;

    @Test
    void nobodyIsWokenWhenNobodyWaits() {
        gate.register(loop::add, () -> rechecks++);
        gate.progressed();

        assertTrue(loop.isEmpty());
        assertFalse(gate.readersWait());
    }

    @Test
    void waitersAreWokenOnceHoweverMuchProgressThereIs() {
        FreshnessGate.Waiters waiters = gate.register(loop::add, () -> rechecks++);
        waiters.waiting(3);
        assertTrue(gate.readersWait());
        gate.progressed();
        gate.progressed();
        gate.progressed();

        assertEquals(1, loop.size());
        loop.remove().run();
        assertEquals(1, rechecks);
    }

    @Test
    void progressDuringTheRecheckWakesAgain() {
        FreshnessGate.Waiters waiters = gate.register(loop::add, () -> {
            if (rechecks++ == 0) {
                gate.progressed();
            }
        });
        waiters.waiting(1);
        gate.progressed();
        loop.remove().run();

        assertEquals(1, loop.size());
        loop.remove().run();
        assertEquals(2, rechecks);
        assertTrue(loop.isEmpty());
    }

    @Test
    void everyLoopWithWaitersIsWoken() {
        ArrayDeque<Runnable> other = new ArrayDeque<>();
        gate.register(loop::add, () -> {}).waiting(1);
        gate.register(other::add, () -> {}).waiting(1);
        gate.progressed();

        assertEquals(1, loop.size());
        assertEquals(1, other.size());
    }

    @Test
    void progressIsRequestedWhenAReaderBeginsToWait() {
        FreshnessGate.Waiters waiters = gate.register(loop::add, () -> {});
        waiters.waiting(1);
        assertEquals(1, requests.get());
        waiters.waiting(1);
        waiters.waiting(0);
        assertEquals(1, requests.get());
        waiters.waiting(2);
        assertEquals(2, requests.get());
    }

    @Test
    void closedLoopIsWokenNoMore() {
        FreshnessGate.Waiters waiters = gate.register(loop::add, () -> rechecks++);
        waiters.waiting(1);
        waiters.close();
        gate.progressed();

        assertTrue(loop.isEmpty());
        assertFalse(gate.readersWait());
    }

    @Test
    void loopThatHasEndedDoesNotHarmTheFeed() {
        FreshnessGate.Waiters ended = gate.register(
                task -> {
                    throw new RejectedExecutionException("ended");
                },
                () -> {});
        ended.waiting(1);
        gate.register(loop::add, () -> {}).waiting(1);
        gate.progressed();

        assertEquals(1, loop.size());
    }
}
