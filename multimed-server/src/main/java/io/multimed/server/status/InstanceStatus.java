package io.multimed.server.status;

import java.util.List;

/**
 * Present status of an instance.
 *
 * @param endpoint URI of the endpoint
 * @param ending whether it has been requested to end: transactions in flight may finish, then the engines stop
 * @param scn SCN of the last received commit, 0 before the first
 * @param nodes the Master first
 */
public record InstanceStatus(String endpoint, boolean ending, long scn, List<NodeStatus> nodes) {
    public InstanceStatus {
        nodes = List.copyOf(nodes);
    }
}
