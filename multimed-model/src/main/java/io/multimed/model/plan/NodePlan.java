package io.multimed.model.plan;

import io.multimed.model.NodeId;
import io.multimed.model.Role;
import io.multimed.model.topology.CpuSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One Computational Node and its part of the machine.
 *
 * @param cpus hardware threads that its engine may use
 * @param share number of these that it can count on while other nodes that may use them do the same
 * @param numaNodes the NUMA nodes its memory is bound to; empty for no binding
 * @param memoryBytes memory for its engine and the operating system's cache of its files; for a Satellite in memory without its
 *     copy of the data
 * @param storage the place of its data
 * @param settings engine settings requested by the user, by the engine's own names, sorted
 */
public record NodePlan(
        NodeId id,
        Role role,
        CpuSet cpus,
        int share,
        List<Integer> numaNodes,
        long memoryBytes,
        Storage storage,
        Map<String, String> settings) {
    public NodePlan {
        if (share < 1 || share > cpus.size()) {
            throw new IllegalArgumentException("a share of " + share + " of the cpus " + cpus);
        }
        numaNodes = List.copyOf(numaNodes);
        settings = Collections.unmodifiableMap(new TreeMap<>(settings));
    }
}
