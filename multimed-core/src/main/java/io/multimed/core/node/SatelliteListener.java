package io.multimed.core.node;

import io.multimed.model.NodeId;

/** Told about every change in the life of a Satellite, the progress of its copy included. */
@FunctionalInterface
public interface SatelliteListener {
    SatelliteListener SILENT = (satellite, from, to) -> {};

    /**
     * Called in order and never twice at once for the same Satellite, by whatever thread brought the event, so it must
     * not block and not throw.
     */
    void changed(NodeId satellite, SatelliteState from, SatelliteState to);
}
