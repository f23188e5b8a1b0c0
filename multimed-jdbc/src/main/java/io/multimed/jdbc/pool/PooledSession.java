package io.multimed.jdbc.pool;

import io.multimed.jdbc.connection.ConnectionOwner;
import io.multimed.jdbc.connection.LogicalConnection;
import io.multimed.jdbc.errors.Errors;
import io.multimed.jdbc.session.DriverSession;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import javax.sql.ConnectionEvent;
import javax.sql.ConnectionEventListener;
import javax.sql.PooledConnection;
import javax.sql.StatementEvent;
import javax.sql.StatementEventListener;
import org.jspecify.annotations.Nullable;

/**
 * A session that an application server keeps. It hands out connections to the session, one at a time, and notifies listeners of
 * their end.
 */
public class PooledSession implements PooledConnection, ConnectionOwner {
    final DriverSession session;
    private final List<ConnectionEventListener> listeners = new CopyOnWriteArrayList<>();
    private final List<StatementEventListener> ofStatements = new CopyOnWriteArrayList<>();
    private @Nullable LogicalConnection handle;
    private boolean closed;

    public PooledSession(DriverSession session) {
        this.session = session;
    }

    /** Returns a new connection. The previous one is closed without notifying the listeners. */
    @Override
    public final synchronized Connection getConnection() throws SQLException {
        if (closed) {
            throw Errors.closed("pooled connection");
        }
        LogicalConnection former = handle;
        if (former != null && former.forget()) {
            reset();
        }
        LogicalConnection next = new LogicalConnection(session, this);
        handle = next;
        return next;
    }

    /** Resets the session, so that the next connection finds no open transaction. */
    void reset() throws SQLException {
        session.inTurn(() -> {
            if (!session.autoCommit()) {
                session.rollback();
                session.autoCommit(true);
            }
            if (session.readOnly()) {
                session.readOnly(false);
            }
            session.clearWarnings();
        });
    }

    @Override
    public final void released(LogicalConnection released) throws SQLException {
        synchronized (this) {
            if (released != handle) {
                return;
            }
            handle = null;
        }
        try {
            reset();
        } catch (SQLException e) {
            tell(ConnectionEventListener::connectionErrorOccurred, new ConnectionEvent(this, e));
            throw e;
        }
        tell(ConnectionEventListener::connectionClosed, new ConnectionEvent(this));
    }

    @Override
    public final void failed(LogicalConnection on, SQLException error) {
        if (isFatal(error)) {
            tell(ConnectionEventListener::connectionErrorOccurred, new ConnectionEvent(this, error));
        }
    }

    /** Whether the session is unusable, so that the pool should close it. */
    private boolean isFatal(SQLException error) {
        String state = String.valueOf(error.getSQLState());
        if (state.startsWith("08") || state.startsWith("57P")) {
            return true;
        }
        try {
            return session.closed();
        } catch (SQLException e) {
            return true;
        }
    }

    private void tell(BiConsumer<ConnectionEventListener, ConnectionEvent> what, ConnectionEvent event) {
        listeners.forEach(listener -> what.accept(listener, event));
    }

    @Override
    public final void closed(PreparedStatement statement) {
        ofStatements.forEach(listener -> listener.statementClosed(new StatementEvent(this, statement)));
    }

    @Override
    public void checkMayEndTransaction() throws SQLException {}

    /** Ends the session and the connection that was handed out. */
    @Override
    public final void close() throws SQLException {
        LogicalConnection open;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            open = handle;
            handle = null;
        }
        try {
            if (open != null) {
                open.forget();
            }
        } finally {
            session.close();
        }
    }

    @Override
    public final void addConnectionEventListener(@Nullable ConnectionEventListener listener) {
        if (listener != null) {
            listeners.add(listener);
        }
    }

    @Override
    public final void removeConnectionEventListener(@Nullable ConnectionEventListener listener) {
        listeners.remove(listener);
    }

    @Override
    public final void addStatementEventListener(@Nullable StatementEventListener listener) {
        if (listener != null) {
            ofStatements.add(listener);
        }
    }

    @Override
    public final void removeStatementEventListener(@Nullable StatementEventListener listener) {
        ofStatements.remove(listener);
    }

    @Override
    public final String toString() {
        return "Multimed pooled connection " + Integer.toHexString(System.identityHashCode(this)) + " to "
                + session.url();
    }
}
