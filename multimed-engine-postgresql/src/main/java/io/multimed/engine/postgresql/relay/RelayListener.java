package io.multimed.engine.postgresql.relay;

import io.multimed.model.NodeId;

/**
 * The receiver of the Relay's notifications about Master and Satellites. Every call comes from the relay thread, on which
 * commits wait: implementations hand over and return.
 */
public interface RelayListener {
    /** The Relay streams from the Master; the floor follows once it has caught up. */
    void masterConnected();

    /** The connection to the Master is gone and the floor unknown; the Relay tries again by itself. */
    void masterLost(String reason);

    /**
     * The Relay cannot go on with this Master (another database cluster, another timeline, its log does not contain
     * what was received, a version it does not know) and does not try again until {@link Relay#resume}.
     */
    void masterUnusable(String reason);

    /** A Satellite's walreceiver streams from the Relay. Its first applied position follows. */
    void feedConnected(NodeId satellite);

    /** A Satellite's walreceiver has gone: the engine ended or will connect again. */
    void feedLost(NodeId satellite, String reason);

    /** A Satellite has applied the log up to {@code position}; {@code ComputationalNode.applied} already says so. */
    void applied(NodeId satellite, long position);

    /** A connected Satellite has not answered for longer than {@link RelayOptions#silence}. Told once per silence. */
    void silent(NodeId satellite);

    /** A Satellite that was reported silent answers again. */
    void heardAgain(NodeId satellite);

    /** A Satellite needs log that no longer exists, neither in memory nor on the Master: it must be copied anew. */
    void logUnavailable(NodeId satellite, long position);

    /**
     * A transaction that changed catalogs has been received. It may become visible on the Master a moment later than
     * this is called.
     */
    void catalogChanged(CatalogChange change);
}
