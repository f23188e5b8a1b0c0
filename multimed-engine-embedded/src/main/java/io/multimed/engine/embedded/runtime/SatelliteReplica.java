package io.multimed.engine.embedded.runtime;

import io.multimed.core.node.ComputationalNode;
import io.multimed.engine.embedded.Replica;
import io.multimed.model.NodeId;
import java.sql.Connection;
import java.sql.SQLException;

/** A session's connection to one Satellite. */
final class SatelliteReplica implements Replica {
    private final ReadPlacement placement;
    private final ComputationalNode node;
    private final Satellite.Running running;
    private final Connection connection;
    private boolean auto = true;
    private boolean open;

    SatelliteReplica(
            ReadPlacement placement, ComputationalNode node, Satellite.Running running, Connection connection) {
        this.placement = placement;
        this.node = node;
        this.running = running;
        this.connection = connection;
    }

    void begin(boolean autoCommit) throws SQLException {
        if (autoCommit != auto) {
            running.engine().autoCommit(connection, autoCommit);
            auto = autoCommit;
        }
        open = true;
        node.transactionBegan();
    }

    @Override
    public NodeId node() {
        return node.id();
    }

    @Override
    public boolean onMaster() {
        return false;
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
            placement.observed(node);
            if (!auto && usable()) {
                connection.commit();
            }
        }
    }

    @Override
    public SQLException failed(SQLException error) {
        if (usable() && !running.engine().engineFailed(error)) {
            return error;
        }
        running.feed().fail(error);
        return Errors.satelliteFailed(node.id().name(), error);
    }

    @Override
    public boolean usable() {
        return running.usable();
    }

    @Override
    public boolean refusedChange(SQLException error) {
        return running.engine().refusedChange(error);
    }

    void discard() {
        try {
            connection.close();
        } catch (SQLException e) {
            // Its engine has been ended.
        }
    }
}
