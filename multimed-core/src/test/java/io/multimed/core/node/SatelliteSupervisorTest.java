package io.multimed.core.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.MasterLog;
import io.multimed.core.propagation.MasterVisibility;
import io.multimed.core.spi.CopyProgress;
import io.multimed.core.spi.EngineException;
import io.multimed.core.spi.SatelliteControl;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SatelliteSupervisorTest {
    private final MasterLog log = new MasterLog(new MasterVisibility());
    private final FreshnessGate gate = new FreshnessGate(() -> {});
    private final CopyTurns turns = new CopyTurns(1);
    private final ArrayDeque<Runnable> work = new ArrayDeque<>();
    private final List<String> told = new ArrayList<>();
    private final List<String> details = new ArrayList<>();
    private final List<Throwable> unforeseen = new ArrayList<>();
    /** The change at which the listener throws. */
    private String thrower = "";

    private long now;

    /** An engine that executes each request at once; tests override single methods. */
    private static class Engine implements SatelliteControl {
        final List<String> calls = new ArrayList<>();
        boolean data;
        volatile boolean frozen;
        Runnable onExit = () -> {};

        @Override
        public boolean hasData() {
            return data;
        }

        @Override
        public void copyFromMaster(CopyProgress progress) throws EngineException, InterruptedException {
            calls.add("copy");
            progress.copied(1 << 20, 2 << 20);
            data = true;
        }

        @Override
        public void start(Runnable onExit) throws EngineException, InterruptedException {
            calls.add("start");
            this.onExit = onExit;
        }

        @Override
        public void stop(Duration grace) throws InterruptedException {
            calls.add("stop");
        }

        @Override
        public boolean frozen() {
            return frozen;
        }

        @Override
        public void kill() {
            calls.add("kill");
        }
    }

    private final Engine engine = new Engine();
    private final ComputationalNode node = new ComputationalNode(NodeId.satellite(1), Role.SATELLITE);
    private final List<Long> copied = new ArrayList<>();
    private final SatelliteSupervisor satellite = supervisor(node, engine, work::add);

    private SatelliteSupervisor supervisor(ComputationalNode of, SatelliteControl control, Executor worker) {
        SatelliteListener listener = new SatelliteListener() {
            @Override
            public void changed(NodeId satellite, SatelliteStatus from, SatelliteStatus to) {
                if (to.phase().label().equals(thrower)) {
                    throw new IllegalStateException(thrower);
                }
                told.add(to.phase().label());
                details.add(to.detail());
            }

            @Override
            public void copying(NodeId satellite, long copiedBytes, long totalBytes) {
                copied.add(copiedBytes);
            }

            @Override
            public void unforeseen(NodeId satellite, Throwable cause) {
                unforeseen.add(cause);
            }
        };
        return new SatelliteSupervisor(
                of, control, worker, turns, log, gate, SatellitePolicy.DEFAULT, () -> now, listener);
    }

    @Test
    void copiesStartsCatchesUpAndServes() {
        connectMaster(500);
        satellite.begin();
        work();
        assertEquals(List.of("copy", "start"), engine.calls);
        satellite.feedConnected();
        node.applied(499);
        satellite.tick();
        assertFalse(node.serving());
        node.applied(500);
        satellite.tick();

        assertTrue(node.serving());
        assertEquals(SatellitePhase.SERVING, satellite.status().phase());
        assertEquals(
                List.of("starting", "queued", "cloning", "cloning", "starting", "connecting", "catching-up", "serving"),
                told);
    }

    @Test
    void tellsHowFarTheCopyHasCome() {
        satellite.begin();
        work();

        assertTrue(details.contains("1 of 2 MB"), details.toString());
        assertEquals(List.of(1L << 20), copied);
    }

    @Test
    void whatAnEarlierEngineHadAppliedDoesNotAdmitTheNext() {
        serve(500);
        node.applied(900);
        engine.onExit.run();
        assertFalse(node.serving());
        work();
        // Its feed connects: the engine resumed from older data, and its position is not known yet.
        satellite.feedConnected();
        satellite.tick();
        assertFalse(node.serving());
        assertEquals("catching-up", satellite.status().phase().label());

        node.applied(500);
        satellite.tick();
        assertTrue(node.serving());
    }

    @Test
    void waitingReadersAreWokenWhenASatelliteComesOrGoes() {
        List<Boolean> woken = new ArrayList<>();
        gate.register(Runnable::run, () -> woken.add(node.serving())).waiting(1);
        serve(500);
        satellite.feedSilent();

        assertTrue(woken.contains(true));
        assertEquals(false, woken.get(woken.size() - 1));
    }

    @Test
    void killedEngineIsFencedAndResumed() {
        serve(500);
        engine.calls.clear();
        engine.onExit.run();
        work();

        assertEquals(List.of("kill", "start"), engine.calls);
    }

    @Test
    void frozenEngineLeavesTheRotationAndComesBackThawed() {
        serve(500);
        engine.frozen = true;
        satellite.tick();
        assertFalse(node.serving());
        engine.frozen = false;
        satellite.tick();
        satellite.tick();
        assertTrue(node.serving());
    }

    @Test
    void oneCopyFollowsTheOther() {
        Engine other = new Engine();
        SatelliteSupervisor second =
                supervisor(new ComputationalNode(NodeId.satellite(2), Role.SATELLITE), other, work::add);
        satellite.begin();
        second.begin();
        // Both look for data; the first continues with its copy, the second waits for its turn.
        work.remove().run();
        work.remove().run();
        assertEquals("cloning", satellite.status().phase().label());
        assertEquals("queued", second.status().phase().label());
        work.remove().run();
        assertEquals("starting", satellite.status().phase().label());
        assertEquals("cloning", second.status().phase().label());
        work();
        assertEquals(List.of("copy", "start"), other.calls);
    }

    @Test
    void stoppedInTheQueueItGivesItsTurnBack() {
        Engine other = new Engine();
        SatelliteSupervisor second =
                supervisor(new ComputationalNode(NodeId.satellite(2), Role.SATELLITE), other, work::add);
        satellite.begin();
        second.begin();
        work.remove().run();
        work.remove().run();
        CompletableFuture<Void> ended = second.stop().toCompletableFuture();
        work();
        assertTrue(ended.isDone());
        assertEquals(List.of("stop"), other.calls);

        // The turn is free again.
        SatelliteSupervisor third =
                supervisor(new ComputationalNode(NodeId.satellite(3), Role.SATELLITE), new Engine(), work::add);
        third.begin();
        work();
        assertEquals("connecting", third.status().phase().label());
    }

    @Test
    void stopBeforeTheBeginningIsDoneAtOnce() {
        assertTrue(satellite.stop().toCompletableFuture().isDone());
        assertTrue(engine.calls.isEmpty());
    }

    @Test
    void workThatFailsUnexpectedlyIsAFailureLikeOthers() {
        Engine broken = new Engine() {
            @Override
            public void start(Runnable onExit) {
                throw new IllegalStateException("disk on fire");
            }
        };
        broken.data = true;
        SatelliteSupervisor one = supervisor(node, broken, work::add);
        one.begin();
        work.remove().run();

        assertEquals("start failed: disk on fire", one.status().detail());
    }

    @Test
    void whatAListenerThrowsEndsNothing() {
        thrower = "serving";
        serve(500);
        assertEquals(1, unforeseen.size());
        CompletableFuture<Void> ended = satellite.stop().toCompletableFuture();
        work();
        assertTrue(ended.isDone());
    }

    @Test
    void engineIsFencedThoughReadersCannotBeWoken() {
        serve(500);
        engine.calls.clear();
        gate.register(
                        task -> {
                            throw new IllegalStateException("no thread");
                        },
                        () -> {})
                .waiting(1);
        engine.onExit.run();
        work();

        assertEquals(List.of("kill", "start"), engine.calls);
        assertEquals("no thread", unforeseen.get(0).getMessage());
    }

    @Test
    void stopBreaksOffACopy() throws Exception {
        CountDownLatch copying = new CountDownLatch(1);
        Engine slow = new Engine() {
            @Override
            public void copyFromMaster(CopyProgress progress) throws InterruptedException {
                copying.countDown();
                new CountDownLatch(1).await();
            }
        };
        ExecutorService worker = Executors.newSingleThreadExecutor();
        try {
            SatelliteSupervisor one = supervisor(node, slow, worker);
            one.begin();
            assertTrue(copying.await(30, TimeUnit.SECONDS));
            one.stop().toCompletableFuture().get(30, TimeUnit.SECONDS);
            assertEquals(List.of("stop"), slow.calls);
            assertEquals("stopped", one.status().phase().label());
        } finally {
            worker.shutdownNow();
        }
    }

    @Test
    void eventsOfManyThreadsAreTakenOneAfterTheOther() throws Exception {
        serve(500);
        int threads = 4;
        int rounds = 2_000;
        CyclicBarrier start = new CyclicBarrier(threads);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> all = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            Thread thread = new Thread(() -> {
                try {
                    start.await();
                    for (int i = 0; i < rounds; i++) {
                        satellite.tick();
                        satellite.feedSilent();
                        satellite.feedHeard();
                    }
                } catch (Throwable e) {
                    failure.set(e);
                }
            });
            all.add(thread);
            thread.start();
        }
        for (Thread thread : all) {
            thread.join();
        }
        assertEquals(null, failure.get());
        satellite.feedHeard();
        satellite.tick();
        satellite.tick();
        assertEquals("serving", satellite.status().phase().label());
        assertTrue(node.serving());
    }

    private void serve(long scn) {
        connectMaster(scn);
        satellite.begin();
        work();
        satellite.feedConnected();
        node.applied(scn);
        satellite.tick();
        assertTrue(node.serving());
    }

    private void connectMaster(long position) {
        log.connected(position);
        log.received(position);
    }

    private void work() {
        while (!work.isEmpty()) {
            work.remove().run();
        }
    }
}
