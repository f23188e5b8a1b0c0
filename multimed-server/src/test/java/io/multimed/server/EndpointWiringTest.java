package io.multimed.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.multimed.model.NodeId;
import io.multimed.model.Role;
import io.multimed.model.plan.NodePlan;
import io.multimed.model.plan.Storage;
import io.multimed.model.topology.CpuSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Options of the endpoint that are derived from the configuration. */
class EndpointWiringTest {
    @Test
    void settingsOfNodesAreThoseThatTheConfigurationDoesNotSetAlikeForAll() {
        NodePlan master = node(NodeId.MASTER, Role.MASTER, Map.of("DateStyle", "German", "lc_time", "C"));
        NodePlan one = node(NodeId.satellite(1), Role.SATELLITE, Map.of("lc_time", "C", "xmloption", "document"));
        NodePlan two = node(NodeId.satellite(2), Role.SATELLITE, Map.of("DateStyle", "ISO", "lc_time", "C"));
        assertEquals(Set.of("datestyle", "xmloption"), EndpointWiring.settingsOfNodes(master, List.of(one, two)));
        assertEquals(Set.of(), EndpointWiring.settingsOfNodes(master, List.of()));
    }

    private static NodePlan node(NodeId id, Role role, Map<String, String> settings) {
        return new NodePlan(id, role, CpuSet.of(0), 1, List.of(), 1 << 30, Storage.DISK, settings);
    }
}
