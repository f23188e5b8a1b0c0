package io.multimed.server.satellite;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.SatellitePhase;
import io.multimed.core.node.SatelliteSupervisor;
import io.multimed.engine.postgresql.cluster.SatelliteServer;
import io.multimed.model.plan.NodePlan;
import java.util.List;
import java.util.function.Supplier;

/**
 * One Satellite with its plan, node, supervisor and engine.
 *
 * @param engine the engine in use
 * @param carries the tables of a partial one; none for a full one
 */
public record SatelliteUnit(
        NodePlan plan,
        ComputationalNode node,
        SatelliteSupervisor supervisor,
        Supplier<SatelliteServer> engine,
        Supplier<List<String>> carries) {
    /** Whether it serves, or has failed so often that it is retried only at long intervals. */
    boolean settled() {
        SatellitePhase phase = supervisor.status().phase();
        return phase == SatellitePhase.SERVING || phase == SatellitePhase.DOWN || phase == SatellitePhase.STOPPED;
    }
}
