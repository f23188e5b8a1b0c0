package io.multimed.core.counters;

import io.multimed.model.NodeId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Numbers of connections to the engine of one node.
 *
 * @param open all of them
 * @param idle those that others could be given now
 * @param bound those that belong to one client for the time being, though it is idle
 * @param awaited clients that wait for one
 */
public record ConnectionCounts(NodeId node, int open, int idle, int bound, int awaited) {
    private ConnectionCounts plus(ConnectionCounts other) {
        return new ConnectionCounts(
                node, open + other.open, idle + other.idle, bound + other.bound, awaited + other.awaited);
    }

    /** Returns the sums for each node, in the order in which the nodes are met. */
    public static List<ConnectionCounts> byNode(List<ConnectionCounts> parts) {
        Map<NodeId, ConnectionCounts> sums = new LinkedHashMap<>();
        parts.forEach(part -> sums.merge(part.node, part, ConnectionCounts::plus));
        return new ArrayList<>(sums.values());
    }
}
