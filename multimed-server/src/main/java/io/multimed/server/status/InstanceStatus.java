package io.multimed.server.status;

import java.util.List;

/**
 * A whole instance now.
 *
 * @param endpoint URI of the endpoint
 * @param scn the last commit heard of, 0 before the first
 * @param nodes the Master first
 */
public record InstanceStatus(String endpoint, long scn, List<NodeStatus> nodes) {
    public InstanceStatus {
        nodes = List.copyOf(nodes);
    }
}
