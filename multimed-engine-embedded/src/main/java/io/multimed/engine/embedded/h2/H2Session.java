package io.multimed.engine.embedded.h2;

import io.multimed.engine.embedded.spi.Changes;
import io.multimed.engine.embedded.spi.MasterSession;
import java.sql.Connection;
import java.sql.SQLException;
import org.h2.engine.IsolationLevel;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.message.DbException;
import org.jspecify.annotations.Nullable;

/** A connection to an H2 Master. */
final class H2Session implements MasterSession {
    private final H2Master master;
    private final JdbcConnection connection;
    private final SessionLocal session;

    H2Session(H2Master master, JdbcConnection connection) {
        this.master = master;
        this.connection = connection;
        this.session = (SessionLocal) connection.getSession();
    }

    SessionLocal session() {
        return session;
    }

    @Override
    public Connection connection() {
        return connection;
    }

    @Override
    public boolean readsFreely() {
        return session.getIsolationLevel() != IsolationLevel.READ_UNCOMMITTED;
    }

    @Override
    public boolean hasChanges() {
        return session.hasPendingTransaction() || session.hasPreparedTransaction();
    }

    @Override
    public Object transaction() {
        return session.getTransaction();
    }

    @Override
    public boolean isOpen(Object transaction) {
        return session.getTransaction() == transaction;
    }

    @Override
    public @Nullable Changes capture() throws SQLException {
        if (!hasChanges()) {
            return null;
        }
        session.lock();
        try {
            return H2Capture.capture(session.getTransaction(), master.tables());
        } catch (DbException e) {
            throw e.getSQLException();
        } catch (RuntimeException e) {
            // An engine that fails releases its parts while they are in use.
            throw new SQLException("the write set could not be read", "40001", e);
        } finally {
            session.unlock();
        }
    }

    @Override
    public void commit() throws SQLException {
        if (hasChanges()) {
            master.commits().announce();
        }
        master.commits().end(session, connection::commit);
    }

    @Override
    public boolean strayed() {
        return master.catalogStrayed();
    }

    @Override
    public void rollback() throws SQLException {
        master.commits().end(session, connection::rollback);
    }

    @Override
    public boolean missed() {
        return master.missed();
    }

    @Override
    public long lockTimeoutMillis() {
        return session.getLockTimeout();
    }
}
