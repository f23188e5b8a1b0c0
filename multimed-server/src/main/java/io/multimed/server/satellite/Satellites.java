package io.multimed.server.satellite;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.CopyTurns;
import io.multimed.core.node.SatelliteListener;
import io.multimed.core.node.SatellitePhase;
import io.multimed.core.node.SatellitePolicy;
import io.multimed.core.node.SatelliteSupervisor;
import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.MasterLog;
import io.multimed.core.spi.SatelliteControl;
import io.multimed.engine.postgresql.cluster.PartialCluster;
import io.multimed.engine.postgresql.cluster.SatelliteCluster;
import io.multimed.engine.postgresql.cluster.SatelliteServer;
import io.multimed.model.NodeId;
import io.multimed.model.plan.NodePlan;
import io.multimed.model.plan.Storage;
import io.multimed.server.config.PartialSatellite;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All Satellites of an instance. Thread-safe. */
public final class Satellites {
    private static final Logger LOG = LoggerFactory.getLogger(Satellites.class);

    private final List<SatelliteUnit> units = new ArrayList<>();
    private final List<ExecutorService> workers = new ArrayList<>();
    private final List<FallbackControl<?>> engines = new ArrayList<>();
    private final List<PartialControl> partialControls = new ArrayList<>();
    private final CopyTurns turns = new CopyTurns(1);
    private final MasterLog log;
    private final FreshnessGate gate;
    private final SatelliteListener listener;
    private volatile boolean catalogsChanged;

    /**
     * Creates the Satellites; nothing is started yet.
     *
     * @param plans one for each node, in the same order
     * @param made creates their engines
     * @param partial the partial ones among them
     * @param contents the tables of the partial ones
     * @param feeds the sources of the partial ones
     */
    public Satellites(
            List<NodePlan> plans,
            List<ComputationalNode> nodes,
            SatelliteServers made,
            List<PartialSatellite> partial,
            PartialContents contents,
            PartialFeeds feeds,
            MasterLog log,
            FreshnessGate gate,
            SatelliteListener listener) {
        this.log = log;
        this.gate = gate;
        this.listener = listener;
        for (int i = 0; i < plans.size(); i++) {
            NodePlan plan = plans.get(i);
            ComputationalNode node = nodes.get(i);
            Optional<PartialSatellite> part =
                    partial.stream().filter(one -> one.id().equals(plan.id())).findFirst();
            if (part.isPresent()) {
                addPartial(plan, node, part.get(), contents, made, feeds);
            } else {
                FallbackControl<SatelliteCluster> engine = withFallback(plan, storage -> made.full(plan, storage));
                add(plan, node, engine, engine, List::of);
            }
        }
    }

    private void addPartial(
            NodePlan plan,
            ComputationalNode node,
            PartialSatellite part,
            PartialContents contents,
            SatelliteServers made,
            PartialFeeds feeds) {
        Supplier<List<String>> tables = () -> contents.of(part.id());
        FallbackControl<PartialCluster> engine =
                withFallback(plan, storage -> made.partial(plan, part, tables, contents::moved, storage));
        PartialControl control = new PartialControl(engine, feeds.of(node, part.database()), part, contents);
        control.tell(add(plan, node, engine, control, tables));
        partialControls.add(control);
    }

    private static <E extends SatelliteServer> FallbackControl<E> withFallback(
            NodePlan plan, Function<Storage, E> made) {
        E disk = made.apply(Storage.DISK);
        return new FallbackControl<>(plan.storage() == Storage.MEMORY ? made.apply(Storage.MEMORY) : disk, disk);
    }

    private SatelliteSupervisor add(
            NodePlan plan,
            ComputationalNode node,
            FallbackControl<?> engine,
            SatelliteControl control,
            Supplier<List<String>> carries) {
        ExecutorService worker = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().daemon().name("multimed-" + plan.id()).factory());
        SatellitePolicy policy =
                SatellitePolicy.DEFAULT.withReplayDelay(engine.current().replayDelay());
        SatelliteSupervisor supervisor =
                new SatelliteSupervisor(node, control, worker, turns, log, gate, policy, System::nanoTime, listener);
        engines.add(engine);
        workers.add(worker);
        units.add(new SatelliteUnit(plan, node, supervisor, engine::current, carries));
        return supervisor;
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
        for (int i = 0; i < engines.size(); i++) {
            FallbackControl<?> engine = engines.get(i);
            try {
                workers.get(i).execute(engine::reload);
            } catch (RejectedExecutionException e) {
                LOG.debug("Ends, so that its settings do not matter: {}", e.getMessage());
            }
        }
    }

    /** Checks deadlines; called some twenty times a second. */
    public void tick() {
        units.forEach(unit -> unit.supervisor().tick());
    }

    /**
     * Gives up Satellites that do not serve and cannot, since there is no room for the log that they need: their engines might try
     * for ever. Tries partial ones again that may have lacked tables. Called once or twice a second.
     */
    public void look() {
        tryPartialAgain();
        for (SatelliteUnit unit : units) {
            SatellitePhase phase = unit.supervisor().status().phase();
            if (phase == SatellitePhase.CONNECTING || phase == SatellitePhase.CATCHING_UP) {
                unit.engine().get().lackOfRoom().ifPresent(unit.supervisor()::unresponsive);
            }
        }
    }

    /** Records that tables may have been created, which a partial Satellite may have lacked. Any thread; returns at once. */
    public void catalogsChanged() {
        catalogsChanged = true;
    }

    private void tryPartialAgain() {
        if (catalogsChanged) {
            catalogsChanged = false;
            partialControls.forEach(PartialControl::tryAgainIfRefused);
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
        engines.forEach(FallbackControl::giveMemoryBack);
    }
}
