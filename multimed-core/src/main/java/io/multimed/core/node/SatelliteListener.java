package io.multimed.core.node;

import io.multimed.model.NodeId;

/**
 * Told about every change in the life of a Satellite, the progress of its copy included.
 *
 * <p>Called never twice at once for the same Satellite, by whatever thread brought the event, so it must not block and not throw.
 */
public interface SatelliteListener {
    /** Called in the order of the changes. */
    void changed(NodeId satellite, SatelliteState from, SatelliteState to);

    /** Something was thrown that nobody has foreseen while an event was taken; what was not hit by it goes on. */
    void unforeseen(NodeId satellite, Throwable cause);
}
