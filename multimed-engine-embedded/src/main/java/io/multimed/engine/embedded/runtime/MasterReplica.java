package io.multimed.engine.embedded.runtime;

import io.multimed.core.node.ComputationalNode;
import io.multimed.engine.embedded.EmbeddedSession;
import java.sql.SQLException;

/** The Master, for reads that no Satellite could take. */
final class MasterReplica extends NodeReplica {
    private final EmbeddedSession session;

    MasterReplica(EmbeddedSession session, ComputationalNode node) {
        super(node, session.master());
        this.session = session;
    }

    @Override
    public boolean onMaster() {
        return true;
    }

    @Override
    void ended() throws SQLException {
        session.afterUpdate();
        session.commit();
    }

    @Override
    public SQLException failed(SQLException error) {
        return session.failedOnMaster(error);
    }

    @Override
    public boolean usable() {
        return session.master() == connection();
    }

    @Override
    public boolean refusedChange(SQLException error) {
        return false;
    }
}
