package io.multimed.engine.embedded.runtime;

import io.multimed.core.node.ComputationalNode;
import io.multimed.engine.embedded.Replica;
import io.multimed.model.NodeId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;

/** A session's connection to a node that counts the reads it serves. */
abstract class NodeReplica implements Replica {
    final ComputationalNode node;
    private final Connection connection;
    /**
     * Whether a read is under way. The thread that clears this flag also decrements the node's count: the session's own, or one
     * that closes the session.
     */
    private final AtomicBoolean open = new AtomicBoolean();

    NodeReplica(ComputationalNode node, Connection connection) {
        this.node = node;
        this.connection = connection;
    }

    final void began() {
        if (open.getAndSet(true)) {
            // The previous read ended by an unexpected error, without endRead.
            abandoned();
        } else {
            node.transactionBegan();
        }
    }

    @Override
    public final NodeId node() {
        return node.id();
    }

    @Override
    public final Connection connection() {
        return connection;
    }

    @Override
    public final void endRead() throws SQLException {
        if (open.getAndSet(false)) {
            node.transactionEnded();
            ended();
        }
    }

    /**
     * Gives up the connection because the session is closed, perhaps during a read. Nothing runs on the connection any more. Any
     * thread.
     */
    final void abandon() {
        if (open.getAndSet(false)) {
            node.transactionEnded();
            abandoned();
        }
    }

    /** Called when an open read will not be ended. */
    void abandoned() {}

    /** Called when the open read has ended. */
    abstract void ended() throws SQLException;
}
