package io.multimed.core.writeset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class UpdateTurnsTest {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);
    private static final int WAITING = 5;

    private final UpdateTurns turns = new UpdateTurns();

    @Test
    void oneHasItAtATime() throws Exception {
        assertTrue(turns.take(0));
        assertFalse(turns.take(0));
        turns.leave(true);
        assertTrue(turns.take(0));
    }

    @Test
    void whoeverCameFirstHasItNext() throws Exception {
        assertTrue(turns.take(0));
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < WAITING; i++) {
            int number = i;
            Thread thread = new Thread(() -> {
                try {
                    assertTrue(turns.take(PATIENCE));
                    order.add(number);
                    turns.leave(false);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            threads.add(thread);
            thread.start();
            while (thread.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
        }
        turns.leave(false);
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(List.of(0, 1, 2, 3, 4), order);
    }

    @Test
    void onlyThoseThatHaveChangedSomethingAreCounted() throws Exception {
        assertTrue(turns.take(0));
        turns.leave(false);
        assertEquals(0, turns.changes());
        assertTrue(turns.take(0));
        turns.leave(true);
        assertEquals(1, turns.changes());
    }
}
