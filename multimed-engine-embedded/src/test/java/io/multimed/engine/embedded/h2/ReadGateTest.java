package io.multimed.engine.embedded.h2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class ReadGateTest {
    private final ReadGate gate = new ReadGate();

    @Test
    void isNotShutWhileSomebodyReads() {
        assertTrue(gate.enter());
        assertTrue(gate.enter());
        gate.leave();
        assertFalse(gate.shut());
        assertTrue(gate.enter(), "it is open still");
        gate.leave();
        gate.leave();
        assertTrue(gate.shut());
    }

    @Test
    void keepsAReadOutUntilItIsOpen() throws Exception {
        assertTrue(gate.shut());
        CompletableFuture<Boolean> reader = CompletableFuture.supplyAsync(gate::enter);
        assertThrows(TimeoutException.class, () -> reader.get(50, TimeUnit.MILLISECONDS));
        gate.open();
        assertTrue(reader.get(10, TimeUnit.SECONDS));
        assertFalse(gate.shut());
    }

    @Test
    void turnsThoseAwayWhoWaitForAnEngineThatFails() throws Exception {
        assertTrue(gate.shut());
        CompletableFuture<Boolean> reader = CompletableFuture.supplyAsync(gate::enter);
        assertThrows(TimeoutException.class, () -> reader.get(50, TimeUnit.MILLISECONDS));
        gate.loseReaders();
        assertEquals(false, reader.get(10, TimeUnit.SECONDS));
        assertFalse(gate.enter());
    }

    /** Two numbers that are written one after the other and read together must be equal for every admitted reader. */
    @Test
    void noReadIsUnderWayWhileItIsShut() throws Exception {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(500);
        int[] contents = new int[2];
        CompletableFuture<Integer> writer = CompletableFuture.supplyAsync(() -> {
            int shut = 0;
            while (System.nanoTime() < end) {
                if (gate.shut()) {
                    contents[0]++;
                    Thread.onSpinWait();
                    contents[1]++;
                    shut++;
                    gate.open();
                }
            }
            return shut;
        });
        int reads = 0;
        while (System.nanoTime() < end) {
            assertTrue(gate.enter());
            assertEquals(contents[0], contents[1]);
            gate.leave();
            reads++;
        }
        assertTrue(writer.get() > 0);
        assertTrue(reads > 0);
    }
}
