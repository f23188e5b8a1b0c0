package io.multimed.engine.embedded.runtime;

import io.multimed.core.node.ComputationalNode;
import io.multimed.engine.embedded.Replica;
import io.multimed.model.NodeId;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;

/** A place at a node that counts what it serves. */
abstract class NodeReplica implements Replica {
    final ComputationalNode node;
    private final Connection connection;
    /** Whether a read is under way; whoever ends it counts it out, its session or who closes that. */
    private final AtomicBoolean open = new AtomicBoolean();

    NodeReplica(ComputationalNode node, Connection connection) {
        this.node = node;
        this.connection = connection;
    }

    final void began() {
        if (open.getAndSet(true)) {
            // The one before ended by an error that nobody expected.
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

    /** The session is closed, be it amid a read: nothing runs on the connection any more. Any thread. */
    final void abandon() {
        if (open.getAndSet(false)) {
            node.transactionEnded();
            abandoned();
        }
    }

    /** The read that was open will not end. */
    void abandoned() {}

    /** The read that was open has ended. */
    abstract void ended() throws SQLException;
}
