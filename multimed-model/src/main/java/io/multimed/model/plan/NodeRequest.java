package io.multimed.model.plan;

import io.multimed.model.topology.CpuSet;
import java.util.Map;

/**
 * The user's requests for one node.
 *
 * @param cpus its hardware threads; if empty, the planner chooses them
 * @param settings of its engine; they override all others
 */
public record NodeRequest(CpuSet cpus, Map<String, String> settings) {
    public static final NodeRequest NONE = new NodeRequest(CpuSet.EMPTY, Map.of());

    public NodeRequest {
        settings = Map.copyOf(settings);
    }
}
