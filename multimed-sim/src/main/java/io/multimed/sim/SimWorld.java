package io.multimed.sim;

import static io.multimed.sim.Scheduler.MILLISECOND;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.CopyTurns;
import io.multimed.core.node.Nodes;
import io.multimed.core.node.SatelliteListener;
import io.multimed.core.node.SatellitePhase;
import io.multimed.core.node.SatellitePolicy;
import io.multimed.core.node.SatelliteStatus;
import io.multimed.core.node.SatelliteSupervisor;
import io.multimed.core.propagation.FloorHistory;
import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.MasterLog;
import io.multimed.core.propagation.MasterVisibility;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Everything in one simulated machine, wired as a server wires it.
 *
 * <p>It has more fields than other classes, since it is the list of the parts of a machine.
 */
final class SimWorld {
    private static final SatellitePolicy POLICY = new SatellitePolicy(
            Duration.ofMillis(200),
            Duration.ofMillis(500),
            Duration.ofMillis(100),
            Duration.ofMillis(20),
            Duration.ofMillis(200),
            Duration.ofMillis(500),
            Duration.ofMillis(600));

    private final Scheduler scheduler;
    private final GuaranteeChecker checker;
    private final MasterVisibility visibility = new MasterVisibility();
    private final MasterLog log = new MasterLog(visibility);
    private final FloorHistory history = new FloorHistory();
    private final FreshnessGate gate;
    private final SimRelay relay;
    private final SimMaster master;
    private final SimGateway gateway;
    private final Nodes nodes;
    private final Map<NodeId, SimSatellite> satellites = new HashMap<>();
    private final Map<NodeId, SatelliteSupervisor> supervisors = new HashMap<>();
    private final List<SimClient> clients = new ArrayList<>();
    private long writersRestUntil;

    /**
     * @param relays makes the relay
     * @param gateways makes the gateway
     */
    SimWorld(long seed, Function<SimWorld, SimRelay> relays, Function<SimWorld, SimGateway> gateways) {
        scheduler = new Scheduler(seed);
        checker = new GuaranteeChecker(scheduler);
        gate = new FreshnessGate(() -> relay().requestProgress());
        relay = relays.apply(this);
        master = new SimMaster(scheduler, relay);
        CopyTurns turns = new CopyTurns(1);
        List<ComputationalNode> list = new ArrayList<>();
        int count = 1 + scheduler.below(3);
        for (int number = 1; number <= count; number++) {
            list.add(satellite(number, turns));
        }
        nodes = new Nodes(new ComputationalNode(NodeId.MASTER, Role.MASTER), list);
        gateway = gateways.apply(this);
        for (int number = 3 + scheduler.below(6); number > 0; number--) {
            clients.add(new SimClient(this, "client " + number));
        }
        scheduler.every(
                5 * MILLISECOND, "maintenance: floor sample", () -> history.sample(scheduler.now(), log.floor()));
        list.forEach(node -> supervisor(node.id()).begin());
    }

    private ComputationalNode satellite(int number, CopyTurns turns) {
        ComputationalNode node = new ComputationalNode(NodeId.satellite(number), Role.SATELLITE);
        SimSatellite satellite = new SimSatellite(scheduler, master, relay, node);
        SatelliteSupervisor supervisor =
                new SatelliteSupervisor(node, satellite, worker(), turns, log, gate, POLICY, scheduler::now, tracing());
        satellites.put(node.id(), satellite);
        supervisors.put(node.id(), supervisor);
        scheduler.every(3 * MILLISECOND, "maintenance: tick", supervisor::tick);
        return node;
    }

    private SatelliteListener tracing() {
        return new SatelliteListener() {
            @Override
            public void changed(NodeId satellite, SatelliteStatus from, SatelliteStatus to) {
                scheduler.trace(satellite + " is " + to);
            }

            @Override
            public void copying(NodeId satellite, long copiedBytes, long totalBytes) {
                scheduler.trace(satellite + " has copied " + copiedBytes);
            }

            @Override
            public void unforeseen(NodeId satellite, Throwable cause) {
                throw new IllegalStateException(satellite + " met what nobody has foreseen", cause);
            }
        };
    }

    /** Returns a thread that executes one task after the other, with delays. */
    private Executor worker() {
        return new Executor() {
            private long free;

            @Override
            public void execute(Runnable task) {
                free = Math.max(free, scheduler.now()) + scheduler.delay(2 * MILLISECOND);
                scheduler.at(free, "worker: done", task);
            }
        };
    }

    Scheduler scheduler() {
        return scheduler;
    }

    GuaranteeChecker checker() {
        return checker;
    }

    MasterVisibility visibility() {
        return visibility;
    }

    MasterLog log() {
        return log;
    }

    FloorHistory history() {
        return history;
    }

    FreshnessGate gate() {
        return gate;
    }

    SimRelay relay() {
        return relay;
    }

    SimMaster master() {
        return master;
    }

    SimGateway gateway() {
        return gateway;
    }

    Nodes nodes() {
        return nodes;
    }

    List<SimClient> clients() {
        return clients;
    }

    SimSatellite satellite(ComputationalNode node) {
        return Objects.requireNonNull(satellites.get(node.id()));
    }

    SatelliteSupervisor supervisor(SimSatellite satellite) {
        return supervisor(satellite.node().id());
    }

    private SatelliteSupervisor supervisor(NodeId id) {
        return Objects.requireNonNull(supervisors.get(id));
    }

    /** Lets no client begin to write for a while. */
    void writersRest(long duration) {
        writersRestUntil = scheduler.now() + duration;
    }

    boolean writersRest() {
        return scheduler.now() < writersRestUntil;
    }

    /** Requires that every Satellite serves; the error names one that does not, and the reason. */
    void requireAllServing() {
        for (ComputationalNode node : nodes.satellites()) {
            SatelliteStatus status = supervisor(node.id()).status();
            if (status.phase() != SatellitePhase.SERVING) {
                throw new GuaranteeViolation(node.id() + " does not come back: " + status);
            }
        }
    }
}
