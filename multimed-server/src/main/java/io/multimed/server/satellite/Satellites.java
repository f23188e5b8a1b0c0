package io.multimed.server.satellite;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.CopyTurns;
import io.multimed.core.node.SatelliteListener;
import io.multimed.core.node.SatellitePhase;
import io.multimed.core.node.SatellitePolicy;
import io.multimed.core.node.SatelliteSupervisor;
import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.MasterLog;
import io.multimed.engine.postgresql.cluster.SatelliteCluster;
import io.multimed.model.NodeId;
import io.multimed.model.plan.NodePlan;
import io.multimed.model.plan.Storage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All Satellites of an instance. Thread-safe. */
public final class Satellites {
    private static final Logger log = LoggerFactory.getLogger(Satellites.class);

    private final List<SatelliteUnit> units = new ArrayList<>();
    private final List<ExecutorService> workers = new ArrayList<>();
    private final List<FallbackControl> controls = new ArrayList<>();

    /**
     * Creates the Satellites; nothing is started yet.
     *
     * @param plans one for each node, in the same order
     * @param engines creates the engine of a Satellite whose data is in that storage
     */
    public Satellites(
            List<NodePlan> plans,
            List<ComputationalNode> nodes,
            BiFunction<NodePlan, Storage, SatelliteCluster> engines,
            MasterLog log,
            FreshnessGate gate,
            SatelliteListener listener) {
        CopyTurns turns = new CopyTurns(1);
        for (int i = 0; i < plans.size(); i++) {
            NodePlan plan = plans.get(i);
            ComputationalNode node = nodes.get(i);
            SatelliteCluster disk = engines.apply(plan, Storage.DISK);
            FallbackControl control = new FallbackControl(
                    plan.storage() == Storage.MEMORY ? engines.apply(plan, Storage.MEMORY) : disk, disk);
            controls.add(control);
            ExecutorService worker = Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().daemon().name("multimed-" + plan.id()).factory());
            workers.add(worker);
            SatellitePolicy policy = SatellitePolicy.DEFAULT.withReplayDelay(disk.replayDelay());
            SatelliteSupervisor supervisor = new SatelliteSupervisor(
                    node, control, worker, turns, log, gate, policy, System::nanoTime, listener);
            units.add(new SatelliteUnit(plan, node, supervisor, control::current));
        }
    }

    public List<SatelliteUnit> units() {
        return List.copyOf(units);
    }

    /** @throws IllegalArgumentException if there is no such Satellite */
    public SatelliteSupervisor supervisor(NodeId id) {
        for (SatelliteUnit unit : units) {
            if (unit.plan().id().equals(id)) {
                return unit.supervisor();
            }
        }
        throw new IllegalArgumentException("no satellite " + id);
    }

    /** Starts all of them at the same time. */
    public void begin() {
        units.forEach(unit -> unit.supervisor().begin());
    }

    /** Lets each apply the Master's configuration files, when its worker is idle. */
    public void reload() {
        for (int i = 0; i < controls.size(); i++) {
            FallbackControl control = controls.get(i);
            try {
                workers.get(i).execute(control::reload);
            } catch (RejectedExecutionException e) {
                log.debug("Ends, so that its settings do not matter: {}", e.getMessage());
            }
        }
    }

    /** Checks deadlines; called some twenty times a second. */
    public void tick() {
        units.forEach(unit -> unit.supervisor().tick());
    }

    /**
     * Gives up Satellites that do not serve and cannot, since there is no room for the log that they need: their engines might try
     * for ever. Called once or twice a second.
     */
    public void look() {
        for (SatelliteUnit unit : units) {
            SatellitePhase phase = unit.supervisor().status().phase();
            if (phase == SatellitePhase.CONNECTING || phase == SatellitePhase.CATCHING_UP) {
                unit.engine().get().lackOfRoom().ifPresent(unit.supervisor()::unresponsive);
            }
        }
    }

    /** Whether each of them serves or has been given up for the time being. */
    public boolean settled() {
        return units.stream().allMatch(SatelliteUnit::settled);
    }

    public int serving() {
        return (int) units.stream().filter(unit -> unit.node().serving()).count();
    }

    /** Stops all engines at the same time, waits until none is left, and frees the memory of their data. */
    public void stop() {
        CompletableFuture<?>[] stopping = units.stream()
                .map(unit -> unit.supervisor().stop().toCompletableFuture())
                .toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(stopping).join();
        workers.forEach(ExecutorService::shutdown);
        controls.forEach(FallbackControl::giveMemoryBack);
    }
}
