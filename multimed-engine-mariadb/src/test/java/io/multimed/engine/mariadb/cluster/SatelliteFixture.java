package io.multimed.engine.mariadb.cluster;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.CopyTurns;
import io.multimed.core.node.SatelliteListener;
import io.multimed.core.node.SatellitePolicy;
import io.multimed.core.node.SatelliteStatus;
import io.multimed.core.node.SatelliteSupervisor;
import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.MasterLog;
import io.multimed.core.propagation.MasterVisibility;
import io.multimed.engine.mariadb.EngineAccount;
import io.multimed.engine.mariadb.TestMariaDb;
import io.multimed.engine.mariadb.applied.AppliedWatch;
import io.multimed.engine.mariadb.relay.BinlogFeeds;
import io.multimed.engine.mariadb.relay.BinlogListener;
import io.multimed.engine.mariadb.relay.BinlogRelay;
import io.multimed.engine.mariadb.relay.SemiSyncWatch;
import io.multimed.engine.mariadb.wire.EngineConnection;
import io.multimed.engine.process.CoreBinding;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A Master with its relay and one supervised Satellite in memory. */
final class SatelliteFixture {
    final Path directory;
    final Path memory;
    final MariaDbMaster master;
    final MasterLog masterLog = new MasterLog(new MasterVisibility());
    final FreshnessGate gate = new FreshnessGate(this::requestProgress);
    final ComputationalNode node = new ComputationalNode(new NodeId("satellite-1"), Role.SATELLITE);
    final Queue<String> history = new ConcurrentLinkedQueue<>();
    final BinlogRelay relay;
    final MariaDbSatellite satellite;
    final SatelliteSupervisor supervisor;

    private final SemiSyncWatch watch;
    private final BinlogFeeds feeds;
    private final ExecutorService worker = Executors.newSingleThreadExecutor();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    @SuppressWarnings("FutureReturnValueIgnored") // The ticks end with the timer.
    SatelliteFixture(Map<String, String> settings) throws Exception {
        directory = TestMariaDb.directory();
        memory = Files.createTempDirectory(Path.of("/dev/shm"), "multimed-test-");
        TestMariaDb.user().own(memory);
        master = TestMariaDb.master(directory, settings);
        master.start(TestMariaDb.PATIENCE, reason -> {});
        feeds = new BinlogFeeds(master::connect, masterLog, List.of(node));
        relay = new BinlogRelay(
                master::connect,
                masterLog,
                gate,
                new BinlogListener() {
                    @Override
                    public void masterConnected() {}

                    @Override
                    public void masterLost(String reason) {}

                    @Override
                    public void masterUnusable(String reason) {
                        history.add("unusable: " + reason);
                    }
                },
                feeds::published);
        watch = new SemiSyncWatch(master::connect, masterLog, gate);
        satellite = new MariaDbSatellite(
                new MariaDbSatelliteConfig(
                        node.id(),
                        1,
                        TestMariaDb.binaries(),
                        TestMariaDb.user(),
                        memory.resolve("data"),
                        directory.resolve("run-1"),
                        directory.resolve("satellite-1.log"),
                        CoreBinding.NONE,
                        128 << 20,
                        100,
                        Map.of()),
                master,
                feeds,
                node,
                masterLog,
                gate);
        supervisor = new SatelliteSupervisor(
                node,
                satellite,
                worker,
                new CopyTurns(1),
                masterLog,
                gate,
                SatellitePolicy.DEFAULT,
                System::nanoTime,
                new SatelliteListener() {
                    @Override
                    public void changed(NodeId id, SatelliteStatus from, SatelliteStatus to) {
                        if (from.phase() != to.phase()) {
                            history.add(to.toString());
                        }
                    }

                    @Override
                    public void copying(NodeId id, long copiedBytes, long totalBytes) {}

                    @Override
                    public void unforeseen(NodeId id, Throwable cause) {
                        history.add("unforeseen: " + cause);
                    }
                });
        satellite.tell(AppliedWatch.Reports.to(supervisor));
        relay.start();
        watch.start();
        timer.scheduleAtFixedRate(supervisor::tick, 0, 50, TimeUnit.MILLISECONDS);
        TestMariaDb.await("floor", () -> masterLog.floor() != MasterLog.UNKNOWN);
    }

    private void requestProgress() {
        satellite.requestProgress();
    }

    void awaitServing() throws Exception {
        try {
            TestMariaDb.await("serving", node::serving);
        } catch (AssertionError e) {
            Path log = directory.resolve("satellite-1.log");
            throw new AssertionError(history + "\n" + (Files.exists(log) ? Files.readString(log) : "no log"), e);
        }
    }

    /** Waits as a strong reader does, until the Satellite has applied the present floor. */
    void awaitFresh() throws Exception {
        long floor = masterLog.floor();
        try (FreshnessGate.Waiters waiters = gate.register(Runnable::run, () -> {})) {
            waiters.waiting(1);
            TestMariaDb.await("applied " + floor + " of " + node.applied() + " " + history, () -> node.covers(floor));
            waiters.waiting(0);
        }
    }

    EngineConnection rootOfMaster() throws IOException {
        return TestMariaDb.root(master);
    }

    EngineConnection rootOfSatellite() throws IOException {
        return EngineConnection.open(satellite.socket(), new EngineAccount("root", ""), TestMariaDb.PATIENCE);
    }

    void end() throws Exception {
        timer.shutdownNow();
        timer.awaitTermination(5, TimeUnit.SECONDS);
        supervisor.stop().toCompletableFuture().get(30, TimeUnit.SECONDS);
        worker.shutdownNow();
        feeds.close();
        watch.close();
        relay.close();
        master.kill();
        TestMariaDb.delete(directory);
        TestMariaDb.delete(memory);
    }
}
