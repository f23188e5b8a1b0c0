package io.multimed.core.node;

import io.multimed.model.NodeId;

/**
 * Listener for every change in the life of a Satellite, and for the progress of its copy.
 *
 * <p>Calls for the same Satellite never overlap. They come from the thread that delivered the event, so implementations must not
 * block and not throw.
 */
public interface SatelliteListener {
    /** Called in the order of the changes. */
    void changed(NodeId satellite, SatelliteStatus from, SatelliteStatus to);

    /** Called while the Master's data is being copied. The total is an estimate. */
    void copying(NodeId satellite, long copiedBytes, long totalBytes);

    /** Called when handling an event threw an unexpected exception; the other parts of the handling continue. */
    void unforeseen(NodeId satellite, Throwable cause);
}
