package io.multimed.server;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.Nodes;
import io.multimed.core.propagation.FloorHistory;
import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.MasterLog;
import io.multimed.core.propagation.MasterVisibility;
import io.multimed.core.spi.ProgressRequest;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import io.multimed.model.plan.SystemModel;

/** Core objects that all parts of the server share. */
record SharedCore(
        Nodes nodes, MasterLog log, MasterVisibility visibility, FreshnessGate gate, FloorHistory floorHistory) {
    /** Creates the core objects of an instance in which nothing is started yet. */
    static SharedCore of(SystemModel model, ProgressRequest progress) {
        MasterVisibility visibility = new MasterVisibility();
        return new SharedCore(
                new Nodes(
                        new ComputationalNode(NodeId.MASTER, Role.MASTER),
                        model.satellites().stream()
                                .map(plan -> new ComputationalNode(plan.id(), Role.SATELLITE))
                                .toList()),
                new MasterLog(visibility),
                visibility,
                new FreshnessGate(progress),
                new FloorHistory());
    }
}
