package io.multimed.core.node;

import java.util.List;

/**
 * The nodes of one Multimed instance: a fixed Master and its Satellites. Each node's own state tells whether it may be used.
 *
 * @param master the node that executes every update
 * @param satellites in the order of their numbers, then the partial ones
 * @param hasPartial whether any of them holds only a part of the data; if none does, nobody needs to ask what a read needs
 */
public record Nodes(ComputationalNode master, List<ComputationalNode> satellites, boolean hasPartial) {
    public Nodes {
        satellites = List.copyOf(satellites);
    }

    public Nodes(ComputationalNode master, List<ComputationalNode> satellites) {
        this(
                master,
                satellites,
                satellites.stream().anyMatch(node -> !node.contents().isWhole()));
    }
}
