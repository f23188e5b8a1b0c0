package io.multimed.engine.embedded.runtime;

import io.multimed.core.node.ComputationalNode;
import java.sql.Connection;
import java.sql.SQLException;

/** A session's connection to one Satellite. */
final class SatelliteReplica extends NodeReplica {
    private final ReadPlacement placement;
    private final Satellite.Running running;
    private boolean auto = true;

    SatelliteReplica(
            ReadPlacement placement, ComputationalNode node, Satellite.Running running, Connection connection) {
        super(node, connection);
        running.readers().opened(connection, placement::master);
        this.placement = placement;
        this.running = running;
    }

    /**
     * Begins a read.
     *
     * @return whether that was possible; false once the engine has failed
     * @throws SQLException if the session has been closed
     */
    boolean begin(boolean autoCommit) throws SQLException {
        if (autoCommit != auto) {
            running.engine().autoCommit(connection(), autoCommit);
            auto = autoCommit;
        }
        if (!running.engine().readBegins()) {
            running.feed().fail(new IllegalStateException("a write set could not be applied"));
            return false;
        }
        boolean begins = false;
        try {
            begins = endWhatIsOpen();
        } finally {
            if (!begins) {
                running.engine().readEnds();
            }
        }
        if (!begins) {
            return false;
        }
        began();
        if (placement.closed()) {
            // Another thread has closed the session, and may not have seen this read.
            abandon();
            throw RuntimeErrors.aborted();
        }
        return true;
    }

    /**
     * Ends a transaction that is still open. A question about rows that were read before, such as for their metadata, may have
     * been a query to the engine. The transaction begun by it would see an older snapshot than this read must.
     */
    private boolean endWhatIsOpen() {
        if (auto && !running.engine().readsHold()) {
            return true;
        }
        try {
            running.engine().endRead(connection());
            return true;
        } catch (SQLException e) {
            running.feed().fail(e);
            return false;
        }
    }

    @Override
    public boolean onMaster() {
        return false;
    }

    @Override
    void ended() throws SQLException {
        try {
            placement.observed(this);
            if (!auto || running.engine().readsHold()) {
                if (usable()) {
                    running.engine().endRead(connection());
                } else {
                    letGo();
                }
            }
        } finally {
            running.engine().readEnds();
        }
    }

    @Override
    void abandoned() {
        running.engine().readEnds();
    }

    /** Rolls back, because the engine may have become the Master's, where an open transaction would delay others. */
    private void letGo() {
        try {
            connection().rollback();
        } catch (SQLException e) {
            // The engine has been ended.
        }
    }

    @Override
    public SQLException failed(SQLException error) {
        if (placement.closed() || (usable() && !running.engine().engineFailed(error))) {
            return error;
        }
        running.feed().fail(error);
        return RuntimeErrors.satelliteFailed(node.id().name(), error);
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
        running.readers().closed(connection());
        try {
            connection().close();
        } catch (SQLException e) {
            // The engine has been ended.
        } finally {
            abandon();
        }
    }
}
