package io.multimed.engine.embedded.runtime;

import io.multimed.core.node.ComputationalNode;
import io.multimed.engine.embedded.Replica;
import io.multimed.model.NodeId;
import java.sql.Connection;
import java.sql.SQLException;

/** A place at a node that counts what it serves. */
abstract class NodeReplica implements Replica {
    final ComputationalNode node;
    private final Connection connection;
    private boolean open;

    NodeReplica(ComputationalNode node, Connection connection) {
        this.node = node;
        this.connection = connection;
    }

    final void began() {
        open = true;
        node.transactionBegan();
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
        if (open) {
            open = false;
            node.transactionEnded();
            ended();
        }
    }

    /** The read that was open has ended. */
    abstract void ended() throws SQLException;
}
