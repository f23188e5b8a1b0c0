package io.multimed.engine.embedded.h2;

import io.multimed.engine.embedded.spi.Changes;
import io.multimed.engine.embedded.spi.MasterSession;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.sql.Connection;
import java.sql.SQLException;
import org.h2.command.Command;
import org.h2.engine.IsolationLevel;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.h2.message.DbException;
import org.jspecify.annotations.Nullable;

/** A connection to an H2 Master. */
final class H2Session implements MasterSession {
    /** The command that a session is executing; null if this H2 lacks it. */
    private static final @Nullable VarHandle CURRENT = current();

    private final H2Master master;
    private final JdbcConnection connection;
    private final SessionLocal session;

    H2Session(H2Master master, JdbcConnection connection) {
        this.master = master;
        this.connection = connection;
        this.session = (SessionLocal) connection.getSession();
    }

    private static @Nullable VarHandle current() {
        try {
            return MethodHandles.privateLookupIn(SessionLocal.class, MethodHandles.lookup())
                    .findVarHandle(SessionLocal.class, "currentCommand", Command.class);
        } catch (ReflectiveOperationException | RuntimeException e) {
            System.getLogger("io.multimed.engine.embedded")
                    .log(
                            System.Logger.Level.WARNING,
                            "This H2 keeps no command that could be cancelled: CANCEL_SESSION does not reach reads on"
                                    + " replicas. (" + e.getMessage() + ")");
            return null;
        }
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

    /** Lends the command itself, which H2's own functions then cancel; they check the rights, too. */
    @Override
    public Runnable lend(Connection satellite) {
        Command running =
                satellite instanceof JdbcConnection reader && reader.getSession() instanceof SessionLocal local
                        ? local.getCurrentCommand()
                        : null;
        if (running == null || CURRENT == null || !CURRENT.compareAndSet(session, null, running)) {
            return () -> {};
        }
        return () -> CURRENT.compareAndSet(session, running, null);
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
