package io.multimed.core.dispatch;

import io.multimed.core.node.ComputationalNode;
import org.jspecify.annotations.Nullable;

/**
 * The nodes to which a routing rule sends a read. It decides alone: what the nodes take by themselves does not matter.
 *
 * @param node the only one; null for all Satellites that hold all data
 */
public record Destination(@Nullable ComputationalNode node) {
    /** All Satellites that hold all data. */
    public static final Destination FULL_SATELLITES = new Destination(null);

    /** Whether the read may go to this Satellite. */
    boolean admits(ComputationalNode satellite) {
        return node == null ? satellite.contents().isWhole() : node == satellite;
    }
}
