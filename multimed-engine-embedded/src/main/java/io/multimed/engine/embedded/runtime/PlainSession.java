package io.multimed.engine.embedded.runtime;

import io.multimed.engine.embedded.ComparisonStatus;
import io.multimed.engine.embedded.EmbeddedDatabase;
import io.multimed.engine.embedded.EmbeddedNodeStatus;
import io.multimed.engine.embedded.EmbeddedOptions;
import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.engine.embedded.ReadStatus;
import io.multimed.engine.embedded.Replica;
import io.multimed.model.Freshness;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A session on an engine without replicas, {@code replicas=1}. Nothing is captured, and the engine commits as it always does. */
public final class PlainSession implements EmbeddedSession {
    private final Connection connection;
    private final Replica replica;
    private final EmbeddedDatabase database;
    private Freshness freshness;
    private boolean autoCommit = true;

    public PlainSession(EmbeddedOptions options, Connection connection) {
        this.connection = connection;
        this.freshness = options.freshness();
        this.database = new Alone(options);
        this.replica = new PlainReplica();
    }

    @Override
    public Connection master() {
        return connection;
    }

    @Override
    public Connection liveMaster() {
        return connection;
    }

    @Override
    public boolean autoCommit() {
        return autoCommit;
    }

    @Override
    public void autoCommit(boolean on) throws SQLException {
        connection.setAutoCommit(on);
        autoCommit = on;
    }

    @Override
    public void freshness(Freshness chosen) {
        freshness = chosen;
    }

    @Override
    public Freshness freshness() {
        return freshness;
    }

    @Override
    public Replica beginRead(boolean auto, long mostNanos) {
        return replica;
    }

    @Override
    public void beforeUpdate(boolean mayChange, long mostNanos) {}

    @Override
    public void afterUpdate() {}

    @Override
    public <T extends @Nullable Object> T changeCatalog(String sql, Work<T> onMaster) throws SQLException {
        return onMaster.run();
    }

    @Override
    public <T extends @Nullable Object> T shutDown(Work<T> onMaster) throws SQLException {
        return onMaster.run();
    }

    @Override
    public long commit() throws SQLException {
        connection.commit();
        return NOTHING;
    }

    @Override
    public void rollback() throws SQLException {
        connection.rollback();
    }

    @Override
    public SQLException failedOnMaster(SQLException error) {
        return error;
    }

    @Override
    public EmbeddedDatabase database() {
        return database;
    }

    @Override
    public boolean isClosed() throws SQLException {
        return connection.isClosed();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    private final class PlainReplica implements Replica {
        @Override
        public NodeId node() {
            return NodeId.MASTER;
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
            if (!autoCommit) {
                connection.commit();
            }
        }

        @Override
        public SQLException failed(SQLException error) {
            return error;
        }

        @Override
        public boolean usable() {
            return true;
        }

        @Override
        public boolean refusedChange(SQLException error) {
            return false;
        }
    }

    private record Alone(EmbeddedOptions options) implements EmbeddedDatabase {
        @Override
        public List<EmbeddedNodeStatus> nodes() {
            return List.of(new EmbeddedNodeStatus(NodeId.MASTER, Role.MASTER, "serving", 0, 0, 0, 0, 0, 1, ""));
        }

        @Override
        public ReadStatus reads() {
            return ReadStatus.NONE;
        }

        @Override
        public ComparisonStatus comparisons() {
            return new ComparisonStatus(0, 0, 0);
        }

        /** Runs {@code then} at once, because this database belongs to one connection. */
        @Override
        public void whenEnded(Runnable then) {
            then.run();
        }

        @Override
        public long committed() {
            return 0;
        }
    }
}
