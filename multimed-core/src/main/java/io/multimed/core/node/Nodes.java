package io.multimed.core.node;

import java.util.List;

/**
 * The nodes of one Multimed instance: a fixed Master and its Satellites. Each node's own state tells whether it may be used.
 *
 * @param master the node that executes every update
 * @param satellites in the order of their numbers
 */
public record Nodes(ComputationalNode master, List<ComputationalNode> satellites) {
    public Nodes {
        satellites = List.copyOf(satellites);
    }
}
