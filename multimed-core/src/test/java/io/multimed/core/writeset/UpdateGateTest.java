package io.multimed.core.writeset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class UpdateGateTest {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(10);

    private final UpdateGate gate = new UpdateGate();

    @Test
    void transactionsAreInsideTogether() throws Exception {
        assertTrue(gate.enter(0));
        assertTrue(gate.enter(0));
        gate.leave();
        gate.leave();
        assertTrue(gate.shut(0));
        gate.open();
    }

    @Test
    void whoShutsItGivesUpOnTransactionsThatStay() throws Exception {
        assertTrue(gate.enter(0));
        assertFalse(gate.shut(0));
        assertTrue(gate.enter(0), "open again");
    }

    @Test
    void nobodyEntersWhileItIsShut() throws Exception {
        assertTrue(gate.shut(0));
        assertFalse(gate.enter(0));
        assertFalse(gate.shut(0));
        gate.open();
        assertTrue(gate.enter(0));
    }

    @Test
    void whoClaimsItDoesNotInsistThatNobodyIsInside() throws Exception {
        assertTrue(gate.enter(0));
        assertTrue(gate.claim(0, 0));
        assertFalse(gate.enter(0), "but who comes then waits");
        assertFalse(gate.claim(0, 0), "one at a time");
        gate.enterBeside(0);
        gate.leave();
        gate.open();
        gate.leave();
        assertTrue(gate.shut(0), "nothing is left");
    }

    @Test
    void whoClaimsItWaitsForThoseInsideButNotTwiceForTheSame() throws Exception {
        assertTrue(gate.enter(0));
        assertTrue(gate.claim(0, 1));
        gate.open();
        assertTrue(gate.claim(0, Long.MAX_VALUE), "it is known to stay");
        gate.open();
        gate.leave();
        assertTrue(gate.enter(0));
        Thread leaving = new Thread(gate::leave);
        leaving.start();
        assertTrue(gate.claim(0, PATIENCE), "it may end");
        leaving.join();
        gate.open();
        assertTrue(gate.shut(0));
    }

    @Test
    void whoEntersInTurnIsAlone() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger refused = new AtomicInteger();
        Runnable transactions = () -> {
            for (int i = 0; i < 2000; i++) {
                if (gate.enterInTurn(PATIENCE)) {
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    Thread.yield();
                    inside.decrementAndGet();
                    gate.leave();
                } else {
                    refused.incrementAndGet();
                }
            }
        };
        Thread[] threads = {new Thread(transactions), new Thread(transactions), new Thread(transactions)};
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(1, most.get());
        assertEquals(0, refused.get());
        assertTrue(gate.shut(0), "nothing is left");
    }

    @Test
    void whoEntersInTurnWaitsForThoseInsideButNotTwiceForTheSame() throws Exception {
        assertTrue(gate.enter(0));
        assertFalse(gate.enterInTurn(1));
        assertTrue(gate.enterInTurn(Long.MAX_VALUE), "it is known to stay");
        gate.leave();
        gate.leave();
        assertTrue(gate.enter(0));
        assertFalse(gate.enterInTurn(Long.MAX_VALUE), "what has been in vain is not tried again at once");
        Thread leaving = new Thread(gate::leave);
        leaving.start();
        assertTrue(gate.enterInTurn(PATIENCE), "it may end");
        leaving.join();
        gate.leave();
        assertTrue(gate.shut(0), "nothing is left");
    }

    @Test
    void nobodyEntersInTurnWhileItIsShut() throws Exception {
        assertTrue(gate.shut(0));
        assertFalse(gate.enterInTurn(PATIENCE));
        gate.open();
        assertTrue(gate.enterInTurn(0));
    }

    @Test
    void aClaimThatLastsHoldsUpNobodyForLongerThanItsCourtesy() throws Exception {
        assertTrue(gate.claim(0, 0));
        long courtesy = TimeUnit.MILLISECONDS.toNanos(100);
        assertTimeoutPreemptively(Duration.ofSeconds(60), () -> {
            // All of them share one courtesy; if each waited, it would take 1000 seconds.
            for (int i = 0; i < 10_000; i++) {
                gate.enterBeside(courtesy);
            }
        });
        for (int i = 0; i < 10_000; i++) {
            gate.leave();
        }
        gate.open();
        assertTrue(gate.shut(0), "nothing is left");
    }

    @Test
    void whoEntersBesideWaitsForAClaimThatIsShort() throws Exception {
        assertTrue(gate.claim(0, 0));
        Thread entering = new Thread(() -> {
            try {
                gate.enterBeside(Long.MAX_VALUE / 2);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        entering.start();
        while (entering.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        gate.open();
        entering.join();
        assertFalse(gate.shut(0), "it is inside");
    }

    @Test
    void whatIsDoneAloneIsDoneAlone() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger disturbed = new AtomicInteger();
        Thread[] threads = new Thread[4];
        for (int t = 0; t < threads.length; t++) {
            boolean alone = t == 0;
            threads[t] = new Thread(() -> {
                try {
                    for (int i = 0; i < 2000; i++) {
                        assertTrue(alone ? gate.shut(PATIENCE) : gate.enter(PATIENCE));
                        int others = inside.getAndIncrement();
                        if (alone && (others != 0 || inside.get() != 1)) {
                            disturbed.incrementAndGet();
                        }
                        inside.decrementAndGet();
                        if (alone) {
                            gate.open();
                        } else {
                            gate.leave();
                        }
                    }
                } catch (InterruptedException | AssertionError e) {
                    disturbed.incrementAndGet();
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(0, disturbed.get());
    }
}
