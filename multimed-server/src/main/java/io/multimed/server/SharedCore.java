package io.multimed.server;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.NodeContents;
import io.multimed.core.node.Nodes;
import io.multimed.core.propagation.FloorHistory;
import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.MasterLog;
import io.multimed.core.propagation.MasterVisibility;
import io.multimed.core.spi.ProgressRequest;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import io.multimed.model.plan.SystemModel;
import io.multimed.server.config.Configuration;
import io.multimed.server.config.PartialSatellite;
import java.util.List;

/** Core objects that all parts of the server share. */
record SharedCore(
        Nodes nodes, MasterLog log, MasterVisibility visibility, FreshnessGate gate, FloorHistory floorHistory) {
    /** Creates the core objects of an instance in which nothing is started yet. */
    static SharedCore of(SystemModel model, Configuration configuration, ProgressRequest progress) {
        MasterVisibility visibility = new MasterVisibility();
        List<PartialSatellite> partial = configuration.partial();
        return new SharedCore(
                new Nodes(
                        new ComputationalNode(NodeId.MASTER, Role.MASTER),
                        model.satellites().stream()
                                .map(plan ->
                                        new ComputationalNode(plan.id(), Role.SATELLITE, contents(plan.id(), partial)))
                                .toList(),
                        configuration.steersReads()),
                new MasterLog(visibility),
                visibility,
                new FreshnessGate(progress),
                new FloorHistory());
    }

    /** Returns the contents of a Satellite. The bits of partial ones are in the order of the configuration. */
    private static NodeContents contents(NodeId id, List<PartialSatellite> partial) {
        for (int i = 0; i < partial.size(); i++) {
            if (partial.get(i).id().equals(id)) {
                return NodeContents.part(i, partial.get(i).serves());
            }
        }
        return NodeContents.EVERYTHING;
    }
}
