package io.multimed.model.plan;

import io.multimed.model.topology.CpuSet;
import java.util.Map;

/**
 * What the user wants of one node.
 *
 * @param cpus its hardware threads; empty leaves them to the planner
 * @param settings of its engine; they win over everything else
 */
public record NodeRequest(CpuSet cpus, Map<String, String> settings) {
    public static final NodeRequest NONE = new NodeRequest(CpuSet.EMPTY, Map.of());

    public NodeRequest {
        settings = Map.copyOf(settings);
    }
}
