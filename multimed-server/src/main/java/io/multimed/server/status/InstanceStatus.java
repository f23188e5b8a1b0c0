package io.multimed.server.status;

import java.util.List;

/**
 * A whole instance now.
 *
 * @param endpoint URI of the endpoint
 * @param ending whether it has been asked to end: transactions in flight may finish, then the engines end
 * @param scn the last commit heard of, 0 before the first
 * @param nodes the Master first
 */
public record InstanceStatus(String endpoint, boolean ending, long scn, List<NodeStatus> nodes) {
    public InstanceStatus {
        nodes = List.copyOf(nodes);
    }
}
