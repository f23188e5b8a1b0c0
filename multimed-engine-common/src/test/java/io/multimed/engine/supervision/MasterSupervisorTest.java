package io.multimed.engine.supervision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.spi.EngineException;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Actions, and their order, when the Master dies, does not start or is stopped. */
@Timeout(30)
@Tag("slow")
class MasterSupervisorTest {
    private final ComputationalNode node = new ComputationalNode(NodeId.MASTER, Role.MASTER);
    private final BlockingQueue<String> done = new LinkedBlockingQueue<>();
    private final Engine engine = new Engine();
    private final MasterSupervisor supervisor = new MasterSupervisor(node, engine, new Relay());

    /** An engine that starts on every request, unless the test makes it fail. */
    private final class Engine implements SupervisedMaster {
        private final List<Consumer<String>> crashes = new ArrayList<>();
        private final AtomicInteger failures = new AtomicInteger();
        private final AtomicInteger defects = new AtomicInteger();
        private volatile boolean frozen;
        private volatile CountDownLatch hold = new CountDownLatch(0);

        @Override
        public void start(Consumer<String> onCrash) throws EngineException, InterruptedException {
            done.add("start" + (node.serving() ? " while transactions are placed" : ""));
            hold.await();
            if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new EngineException("no room");
            }
            if (defects.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new IllegalStateException("it does not die");
            }
            crashes.add(onCrash);
        }

        @Override
        public void kill() {
            done.add("kill");
        }

        @Override
        public boolean frozen() {
            return frozen;
        }

        void crash() {
            crashes.getLast().accept("killed");
        }
    }

    private final class Relay implements MasterSupervisor.RelayControl {
        @Override
        public void withdraw() {
            done.add("withdraw" + (node.serving() ? " while transactions are placed" : ""));
        }

        @Override
        public void resume() {
            done.add("resume" + (node.serving() ? " while transactions are placed" : ""));
        }
    }

    @AfterEach
    void close() {
        engine.hold.countDown();
        supervisor.close();
    }

    private void assertDone(String... steps) throws InterruptedException {
        for (String step : steps) {
            assertEquals(step, done.poll(20, TimeUnit.SECONDS));
        }
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void servesFromItsFirstStart() throws Exception {
        assertEquals("starting", supervisor.state());
        supervisor.start();
        assertDone("start");
        assertTrue(node.serving());
        assertEquals("serving", supervisor.state());
    }

    @Test
    void aFirstStartThatFailsIsTheCallersToTell() {
        engine.failures.set(1);
        assertEquals(
                "no room",
                assertThrows(EngineException.class, supervisor::start).getMessage());
        assertFalse(node.serving());
    }

    @Test
    void withdrawsTheFloorBeforeItStartsACrashedMasterAgain() throws Exception {
        supervisor.start();
        engine.hold = new CountDownLatch(1);
        engine.crash();
        assertFalse(node.serving());
        assertDone("start", "withdraw", "start");
        assertEquals("recovering", supervisor.state());
        engine.hold.countDown();
        assertDone("resume");
        await(node::serving);
        assertEquals("serving", supervisor.state());
        assertEquals("", supervisor.detail());
    }

    @Test
    void triesAgainUntilTheMasterStarts() throws Exception {
        supervisor.start();
        engine.failures.set(2);
        engine.crash();
        assertDone("start", "withdraw", "start");
        await(() -> supervisor.detail().equals("no room"));
        assertEquals("down", supervisor.state());
        assertDone("withdraw", "start", "withdraw", "start", "resume");
        await(node::serving);
    }

    @Test
    void triesAgainAfterWhatNobodyHasForeseen() throws Exception {
        supervisor.start();
        engine.defects.set(1);
        engine.crash();
        assertDone("start", "withdraw", "start", "withdraw", "start", "resume");
        await(node::serving);
    }

    @Test
    void aMasterThatStandsStillIsToldOfAndLeftAlone() throws Exception {
        supervisor.start();
        engine.frozen = true;
        supervisor.look();
        assertEquals("serving", supervisor.state());
        supervisor.look();
        assertEquals("unresponsive", supervisor.state());
        engine.frozen = false;
        supervisor.look();
        assertEquals("serving", supervisor.state());
        assertDone("start");
        assertTrue(done.isEmpty());
    }

    @Test
    void startsNothingAfterItsEnd() throws Exception {
        supervisor.start();
        supervisor.close();
        assertEquals("stopping", supervisor.state());
        try {
            engine.crash();
        } catch (java.util.concurrent.RejectedExecutionException ended) {
            assertDone("start");
            assertTrue(done.isEmpty());
            return;
        }
        assertDone("start");
        assertTrue(done.isEmpty());
    }
}
