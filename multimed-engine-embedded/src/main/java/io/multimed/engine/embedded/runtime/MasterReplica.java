package io.multimed.engine.embedded.runtime;

import io.multimed.core.node.ComputationalNode;
import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.engine.embedded.Replica;
import io.multimed.model.NodeId;
import java.sql.Connection;
import java.sql.SQLException;

/** The Master, for reads that no Satellite could take. */
final class MasterReplica implements Replica {
    private final EmbeddedSession session;
    private final ComputationalNode node;
    private final Connection connection;
    private boolean open;

    MasterReplica(EmbeddedSession session, ComputationalNode node) {
        this.session = session;
        this.node = node;
        this.connection = session.master();
    }

    void begin() throws SQLException {
        session.beforeUpdate();
        open = true;
        node.transactionBegan();
    }

    @Override
    public NodeId node() {
        return node.id();
    }

    @Override
    public boolean onMaster() {
        return true;
    }

    @Override
    public Connection connection() {
        return connection;
    }

    @Override
    public void endRead() throws SQLException {
        if (open) {
            open = false;
            node.transactionEnded();
            session.afterUpdate();
            session.commit();
        }
    }

    @Override
    public SQLException failed(SQLException error) {
        return session.failedOnMaster(error);
    }

    @Override
    public boolean usable() {
        return session.master() == connection;
    }

    @Override
    public boolean refusedChange(SQLException error) {
        return false;
    }
}
