package io.multimed.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class ContextSwitchesTest {
    @Test
    void onlyThreadsThatLiveCountAndNewOnesFromTheirBeginning() {
        Map<Long, ContextSwitches> before = Map.of(
                1L, new ContextSwitches(10, 1), 2L, new ContextSwitches(500, 50), 3L, new ContextSwitches(90, 9));
        Map<Long, ContextSwitches> after = Map.of(
                1L, new ContextSwitches(15, 3),
                // This thread has the number of one that had ended.
                3L, new ContextSwitches(2, 0),
                4L, new ContextSwitches(7, 1));
        assertEquals(new ContextSwitches(5 + 2 + 7, 2 + 0 + 1), ContextSwitches.between(before, after));
    }

    @Test
    void allThreadsOfAProcessAreCountedNotItsFirstAlone() throws Exception {
        Used.Since since = new Used.Since(Map.of("this", ProcessHandle.current().pid()));
        int meetings = 1_000;
        CyclicBarrier barrier = new CyclicBarrier(2);
        try (var threads = Executors.newFixedThreadPool(2)) {
            Callable<Void> meeting = () -> {
                for (int i = 0; i < meetings; i++) {
                    barrier.await();
                }
                return null;
            };
            for (Future<Void> met : threads.invokeAll(List.of(meeting, meeting))) {
                met.get();
            }
            ContextSwitches seen = since.now().contextSwitches().get("this");
            assertTrue(seen != null && seen.voluntary() >= meetings / 10, "seen: " + seen);
        }
    }
}
