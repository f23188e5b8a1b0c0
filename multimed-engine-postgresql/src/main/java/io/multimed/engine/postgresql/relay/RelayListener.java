package io.multimed.engine.postgresql.relay;

import io.multimed.model.NodeId;

/**
 * The receiver of the Relay's notifications about Master and Satellites. Every call comes from the relay thread, on which
 * commits wait: implementations hand over and return.
 */
public interface RelayListener {
    /** Reports that the Relay streams from the Master; the floor follows once it has caught up. */
    void masterConnected();

    /** Reports that the connection to the Master is gone and the floor unknown; the Relay tries again by itself. */
    void masterLost(String reason);

    /**
     * Reports that the Relay cannot go on with this Master (another database cluster, another timeline, its log does not
     * contain the received log, an unknown version) and does not try again until {@link Relay#resume}.
     */
    void masterUnusable(String reason);

    /** Reports that a Satellite's walreceiver streams from the Relay. Its first applied position follows. */
    void feedConnected(NodeId satellite);

    /** Reports that a Satellite's walreceiver has gone: the engine ended or will connect again. */
    void feedLost(NodeId satellite, String reason);

    /**
     * Reports that a Satellite has applied the log up to {@code position}; {@code ComputationalNode.applied} is already set.
     */
    void applied(NodeId satellite, long position);

    /**
     * Reports that a connected Satellite has not answered for longer than {@link RelayOptions#silence}. Called once per
     * silence.
     */
    void silent(NodeId satellite);

    /** Reports that a Satellite that was reported silent answers again. */
    void heardAgain(NodeId satellite);

    /**
     * Reports that a Satellite needs log that no longer exists, neither in memory nor on the Master: it must be copied anew.
     */
    void logUnavailable(NodeId satellite, long position);

    /**
     * Reports that a transaction that changed catalogs has been received. It may become visible on the Master a moment later
     * than this call.
     */
    void catalogChanged(CatalogChange change);
}
