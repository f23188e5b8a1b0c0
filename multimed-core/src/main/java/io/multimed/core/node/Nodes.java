package io.multimed.core.node;

import java.util.List;

/**
 * The nodes of one Multimed instance: a fixed Master and its Satellites. Each node's own state tells whether it may be used.
 *
 * @param master the node that executes every update
 * @param satellites in the order of their numbers, then the partial ones
 * @param needsMatter whether the needs of a read besides its freshness decide where it may go: a Satellite holds only a part of the
 *     data, or there are routing rules. If not, nobody asks for them
 */
public record Nodes(ComputationalNode master, List<ComputationalNode> satellites, boolean needsMatter) {
    public Nodes {
        satellites = List.copyOf(satellites);
    }

    public Nodes(ComputationalNode master, List<ComputationalNode> satellites) {
        this(master, satellites, anyPartial(satellites));
    }

    /** Whether any Satellite holds only a part of the data. */
    public boolean hasPartial() {
        return anyPartial(satellites);
    }

    private static boolean anyPartial(List<ComputationalNode> satellites) {
        return satellites.stream().anyMatch(node -> !node.contents().isWhole());
    }
}
