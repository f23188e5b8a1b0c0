package io.multimed.server.status;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.SatelliteStatus;
import io.multimed.core.propagation.LagMeter;
import io.multimed.core.propagation.MasterLog;
import io.multimed.engine.postgresql.NodeAddress;
import io.multimed.engine.postgresql.cluster.MasterCluster;
import io.multimed.engine.postgresql.cluster.SatelliteServer;
import io.multimed.engine.supervision.MasterSupervisor;
import io.multimed.model.plan.NodePlan;
import io.multimed.server.satellite.SatelliteUnit;
import io.multimed.server.satellite.Satellites;
import java.util.ArrayList;
import java.util.List;

/** Collects the status of every node. Thread-safe; makes no blocking calls. */
public final class StatusBoard {
    private final NodePlan masterPlan;
    private final ComputationalNode master;
    private final MasterCluster masterEngine;
    private final MasterSupervisor masterSupervisor;
    private final Satellites satellites;
    private final MasterLog log;
    private final LagMeter lag = new LagMeter();

    public StatusBoard(
            NodePlan masterPlan,
            ComputationalNode master,
            MasterCluster masterEngine,
            MasterSupervisor masterSupervisor,
            Satellites satellites,
            MasterLog log) {
        this.masterPlan = masterPlan;
        this.master = master;
        this.masterEngine = masterEngine;
        this.masterSupervisor = masterSupervisor;
        this.satellites = satellites;
        this.log = log;
    }

    /** Samples the floor; called by the timer. */
    public void sample(long nowNanos) {
        long floor = log.floor();
        if (floor != MasterLog.UNKNOWN) {
            lag.sample(nowNanos, floor);
        }
    }

    /** Returns the SCN of the last received commit, 0 before the first. */
    public long scn() {
        long floor = log.floor();
        return floor == MasterLog.UNKNOWN ? log.received() : floor;
    }

    /** Returns the status of all nodes, the Master first. */
    public List<NodeStatus> nodes() {
        // The Satellites are read first, so that the Master's position read later is not below theirs.
        List<NodeStatus> nodes =
                new ArrayList<>(satellites.units().stream().map(this::satellite).toList());
        NodeAddress address = masterEngine.address();
        nodes.addFirst(new NodeStatus(
                master.id().name(),
                master.role(),
                masterSupervisor.state(),
                masterSupervisor.detail(),
                masterEngine.pid(),
                masterPlan.cpus().toList(),
                address.directory().toString(),
                address.port(),
                log.received(),
                0,
                master.active(),
                master.served(),
                List.of()));
        return nodes;
    }

    private NodeStatus satellite(SatelliteUnit unit) {
        SatelliteServer engine = unit.engine().get();
        SatelliteStatus status = unit.supervisor().status();
        NodeAddress address = engine.address();
        long applied = unit.node().applied();
        return new NodeStatus(
                unit.node().id().name(),
                unit.node().role(),
                status.phase().label(),
                status.detail(),
                engine.pid(),
                unit.plan().cpus().toList(),
                address.directory().toString(),
                address.port(),
                applied,
                lag.lagMillis(System.nanoTime(), applied),
                unit.node().active(),
                unit.node().served(),
                unit.carries().get());
    }
}
