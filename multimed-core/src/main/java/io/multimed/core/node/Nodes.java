package io.multimed.core.node;

import java.util.List;

/**
 * The nodes of one Multimed: a fixed Master and its Satellites. Whether a node may be used is a state of the node.
 *
 * @param master the node that executes every update
 * @param satellites in the order of their numbers
 */
public record Nodes(ComputationalNode master, List<ComputationalNode> satellites) {
    public Nodes {
        satellites = List.copyOf(satellites);
    }
}
