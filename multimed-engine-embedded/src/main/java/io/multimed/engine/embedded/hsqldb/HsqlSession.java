package io.multimed.engine.embedded.hsqldb;

import io.multimed.engine.embedded.spi.Changes;
import io.multimed.engine.embedded.spi.MasterSession;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import org.hsqldb.HsqlException;
import org.hsqldb.Session;
import org.hsqldb.TransactionManager;
import org.hsqldb.jdbc.JDBCConnection;
import org.hsqldb.result.Result;
import org.jspecify.annotations.Nullable;

/** A connection to an HSQLDB Master. */
final class HsqlSession implements MasterSession {
    /** Lock timeout for changes of the catalog. HSQLDB waits for locks without limit, so a change would otherwise never fail. */
    private static final long LOCK_TIMEOUT_MILLIS = TimeUnit.SECONDS.toMillis(10);

    private final HsqlMaster master;
    private final JDBCConnection connection;
    private final Session session;

    HsqlSession(HsqlMaster master, JDBCConnection connection) {
        this.master = master;
        this.connection = connection;
        this.session = HsqlFamily.session(connection);
    }

    Session session() {
        return session;
    }

    /**
     * Ends the statement that runs on a Satellite for a session, if there is one, because another session has said so. Not the
     * transaction, which keeps nobody waiting there: HSQLDB may run into a deadlock when it rolls back what another thread executes.
     *
     * @param how one of {@code TransactionManager.resetSession…}
     */
    static void end(JDBCConnection satellite, int how) {
        if (how == TransactionManager.resetSessionStatement || how == TransactionManager.resetSessionRollback) {
            Session reading = HsqlFamily.session(satellite);
            reading.cancel(Result.newCancelRequest(reading.getRandomId(), 0, ""));
        }
    }

    @Override
    public Connection connection() {
        return connection;
    }

    @Override
    public boolean hasChanges() {
        return session.getRowActionList().size() > 0;
    }

    @Override
    public @Nullable Changes capture() throws SQLException {
        try {
            return HsqlCapture.capture(session, master.tables());
        } catch (HsqlException e) {
            throw new SQLException(e.getMessage(), e.getSQLState(), e);
        } catch (RuntimeException e) {
            // An engine that fails releases its parts while they are in use.
            throw new SQLException("the write set could not be read", "40001", e);
        }
    }

    @Override
    public void commit() throws SQLException {
        master.commit(session);
    }

    @Override
    public boolean strayed() {
        return master.catalogStrayed();
    }

    @Override
    public long lockTimeoutMillis() {
        return LOCK_TIMEOUT_MILLIS;
    }
}
