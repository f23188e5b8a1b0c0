package io.multimed.jdbc.remote;

import io.multimed.jdbc.backend.EngineDriver;
import io.multimed.jdbc.sql.Dialect;
import io.multimed.jdbc.sql.OwnStatement;
import io.multimed.jdbc.sql.ServerSession;
import io.multimed.jdbc.sql.SqlKind;
import io.multimed.jdbc.sql.SqlText;
import io.multimed.jdbc.sql.SqlTexts;
import io.multimed.jdbc.url.MultimedUrl;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Savepoint;
import java.util.Properties;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * A connection to a Multimed server. The server places statements. This side remembers the session's settings, so that the session
 * can go on with another connection between transactions, possibly to another host.
 */
public final class RemoteSession extends SingleSession {
    private static final SqlTexts TEXTS = SqlTexts.all(Dialect.POSTGRESQL);

    private final MultimedUrl.Remote remote;
    private final RemoteSettings settings = new RemoteSettings();
    private boolean autoCommit = true;
    /** Whether the server holds state for this session that cannot be restored. */
    private boolean bound;
    /** Whether the connection was lost and the application has got an error for it. */
    private boolean lost;
    /** Whether it was lost in the middle of a transaction, which the application must end. */
    private boolean aborted;
    /** Whether the running statement ends the transaction. */
    private boolean ending;

    /** Another thread may set it. */
    private volatile boolean closed;

    private RemoteSession(MultimedUrl.Remote remote, Connection connection) {
        super(remote.url(), TEXTS, connection);
        this.remote = remote;
    }

    public static RemoteSession open(MultimedUrl.Remote url) throws SQLException {
        EngineDriver.load("PostgreSQL", "org.postgresql.Driver", "org.postgresql:postgresql");
        return new RemoteSession(url, connect(url));
    }

    private static Connection connect(MultimedUrl.Remote url) throws SQLException {
        Properties properties = new Properties();
        // With this option pgjdbc sends setReadOnly to the server at once, and not with the next BEGIN; it also applies
        // under
        // auto-commit.
        properties.setProperty("readOnlyMode", "always");
        url.properties()
                .stringPropertyNames()
                .forEach(name -> properties.setProperty(name, url.properties().getProperty(name)));
        String options = properties.getProperty("options", "");
        if (url.freshness() != null) {
            options += " " + startOptions(url.freshness());
        }
        if (url.onMaster()) {
            options += " -c multimed.reads=master";
        }
        if (!options.isBlank()) {
            properties.setProperty("options", options.strip());
        }
        return DriverManager.getConnection(url.engineUrl(), properties);
    }

    /** Returns the start options. {@code eventual:500ms} is two settings for the server. */
    private static String startOptions(String freshness) {
        int colon = freshness.indexOf(':');
        return colon < 0
                ? "-c multimed.freshness=" + freshness
                : "-c multimed.freshness=" + freshness.substring(0, colon) + " -c multimed.max_lag="
                        + freshness.substring(colon + 1);
    }

    @Override
    public boolean mayMove(SqlText text) {
        return true;
    }

    @Override
    public Connection master() throws SQLException {
        if (lost && !closed) {
            reconnect();
        }
        return super.master();
    }

    private void reconnect() throws SQLException {
        if (aborted) {
            throw new SQLNonTransientConnectionException(
                    "The connection was lost in the middle of the transaction: roll it back and begin it anew.",
                    "08006");
        }
        if (bound) {
            throw new SQLNonTransientConnectionException(
                    "The connection was lost, and with it what the server held for this session (temporary tables, locks,"
                            + " notifications): close it and open another one.",
                    "08003");
        }
        Connection made = connect(remote);
        try {
            settings.restore(made, autoCommit);
        } catch (SQLException e) {
            made.close();
            throw e;
        }
        connection(made);
        lost = false;
        if (closed) {
            // The session was closed meanwhile, and the old connection is lost.
            made.close();
        }
    }

    @Override
    public Connection enter(SqlText text, boolean masterOnly) throws SQLException {
        boolean rollsBack = text.name().equals(ServerSession.ROLLBACK);
        boolean commits = text.name().equals(ServerSession.COMMIT);
        if (aborted && commits) {
            throw notCommitted();
        }
        if (aborted && rollsBack) {
            aborted = false;
        }
        ending = commits || rollsBack;
        if (rollsBack || (commits && transaction() == TransactionState.FAILED)) {
            settings.undone();
        }
        Connection connection = master();
        if (text.kind() == SqlKind.SETTING) {
            settings.set(text);
        } else if (text.kind() == SqlKind.PRIVATE) {
            bound = true;
        }
        return connection;
    }

    @Override
    public void leave() throws SQLException {
        ending = false;
        if (!inTransaction()) {
            settings.settle();
        }
    }

    /** Whether a transaction is open, in whatever way it began; after a loss, whether one was open. */
    private boolean inTransaction() throws SQLException {
        return !autoCommit || transaction() != TransactionState.IDLE;
    }

    private TransactionState transaction() {
        return connection() instanceof BaseConnection server ? server.getTransactionState() : TransactionState.IDLE;
    }

    @Override
    public AfterFailure failed(SQLException error) throws SQLException {
        String state = error.getSQLState();
        if (!inTransaction()) {
            settings.dropPending();
        }
        if (state != null && (state.startsWith("08") || state.startsWith("57P")) && super.closed()) {
            lost = true;
            aborted = !ending && inTransaction();
        }
        ending = false;
        return new Thrown(error);
    }

    @Override
    public boolean autoCommit() {
        return autoCommit;
    }

    @Override
    public void autoCommit(boolean on) throws SQLException {
        master().setAutoCommit(on);
        autoCommit = on;
        settings.settle();
    }

    @Override
    public void commit() throws SQLException {
        if (aborted) {
            throw notCommitted();
        }
        try {
            super.commit();
        } catch (SQLException e) {
            failed(e);
            aborted = false;
            settings.undone();
            throw e;
        }
        settings.settle();
    }

    private SQLException notCommitted() {
        aborted = false;
        settings.undone();
        return new SQLNonTransientConnectionException(
                "The connection was lost in the middle of the transaction, which was not committed.", "08006");
    }

    @Override
    public void rollback() throws SQLException {
        settings.undone();
        if (aborted) {
            aborted = false;
            return;
        }
        try {
            super.rollback();
        } catch (SQLException e) {
            failed(e);
            if (!lost) {
                throw e;
            }
            // The open transaction ended with its connection.
            aborted = false;
        }
    }

    @Override
    public Savepoint savepoint(@Nullable String name) throws SQLException {
        Savepoint savepoint = super.savepoint(name);
        settings.savepoint(savepoint);
        return savepoint;
    }

    @Override
    public void rollback(Savepoint savepoint) throws SQLException {
        super.rollback(savepoint);
        settings.rolledBackTo(savepoint);
    }

    @Override
    public void release(Savepoint savepoint) throws SQLException {
        // First, because a released savepoint does not return its name any more.
        settings.released(savepoint);
        super.release(savepoint);
    }

    @Override
    public boolean readOnly() {
        return settings.readOnly();
    }

    @Override
    public void readOnly(boolean on) throws SQLException {
        super.readOnly(on);
        settings.readOnly(on);
    }

    @Override
    public void schema(String schema) throws SQLException {
        super.schema(schema);
        // Recorded in the same form as a SET of the same setting, so that one replaces the other.
        String to = schema == null ? "DEFAULT" : "'" + schema.replace("'", "''") + "'";
        settings.set(recognise("SET SESSION search_path TO " + to));
        leave();
    }

    @Override
    public void isolation(int level) throws SQLException {
        super.isolation(level);
        settings.isolation(level);
    }

    @Override
    public void set(String name, Setting setting) throws SQLException {
        super.set(name, setting);
        settings.told(name, setting);
    }

    @Override
    public String multimed(SqlText text) throws SQLException {
        if ("nodes".equals(OwnStatement.shown(text.sql()))) {
            return RemoteNodes.query(remote);
        }
        if (OwnStatement.isSet(text.sql())) {
            settings.set(text);
        }
        return text.sql();
    }

    @Override
    public boolean valid(int timeout) throws SQLException {
        try {
            if (master().isValid(timeout)) {
                return true;
            }
            if (!super.closed() || inTransaction()) {
                return false;
            }
            // The connection was lost while nothing ran, and only the validity check was sent, so the application gets
            // no error.
            lost = true;
            return master().isValid(timeout);
        } catch (SQLException e) {
            // No other connection is possible.
            return false;
        }
    }

    @Override
    public boolean closed() throws SQLException {
        return closed || (super.closed() && (!lost || bound));
    }

    @Override
    public void close() throws SQLException {
        closed = true;
        super.close();
    }

    @Override
    public void abort(Executor executor) throws SQLException {
        closed = true;
        super.abort(executor);
    }
}
