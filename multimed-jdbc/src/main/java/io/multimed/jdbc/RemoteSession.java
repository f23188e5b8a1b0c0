package io.multimed.jdbc;

import io.multimed.jdbc.sql.Dialect;
import io.multimed.jdbc.sql.ServerSession;
import io.multimed.jdbc.sql.SqlKind;
import io.multimed.jdbc.sql.SqlText;
import io.multimed.jdbc.sql.SqlTexts;
import io.multimed.jdbc.statements.EngineDriver;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * A connection to a Multimed server. The server places statements. This side remembers the session's settings, so that the session
 * can go on with another connection between transactions, possibly to another host.
 */
final class RemoteSession extends SingleSession {
    private static final SqlTexts TEXTS = SqlTexts.all(Dialect.POSTGRESQL);

    private final MultimedUrl.Remote remote;
    /** Settings made by SET, by subject, in order. */
    private final Map<String, String> settings = new LinkedHashMap<>();
    /** Settings made in the open transaction; a rollback undoes them. */
    private final List<SqlText> pending = new ArrayList<>();

    private final Savepoints savepoints = new Savepoints();
    /** Settings of the application on the connection, by name. */
    private final Map<String, Setting> told = new LinkedHashMap<>();

    private boolean autoCommit = true;
    private boolean readOnly;
    private @Nullable Integer isolation;
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

    static RemoteSession open(MultimedUrl.Remote url) throws SQLException {
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
    boolean mayMove(SqlText text) {
        return true;
    }

    @Override
    Connection master() throws SQLException {
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
            restore(made);
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

    private void restore(Connection made) throws SQLException {
        for (Setting setting : told.values()) {
            setting.on(made);
        }
        try (java.sql.Statement statement = made.createStatement()) {
            // The server sees a new session that has not read anything. The Master's present state includes all that
            // the old
            // session has seen.
            statement.execute("SELECT pg_current_wal_lsn()");
        }
        if (isolation != null) {
            made.setTransactionIsolation(isolation);
        }
        made.setReadOnly(readOnly);
        try (java.sql.Statement statement = made.createStatement()) {
            for (String setting : settings.values()) {
                statement.execute(setting);
            }
        }
        made.setAutoCommit(autoCommit);
    }

    @Override
    Connection enter(SqlText text, boolean masterOnly) throws SQLException {
        boolean rollsBack = text.name().equals(ServerSession.ROLLBACK);
        boolean commits = text.name().equals(ServerSession.COMMIT);
        if (aborted && commits) {
            throw notCommitted();
        }
        if (aborted && rollsBack) {
            aborted = false;
        }
        ending = commits || rollsBack;
        if (rollsBack || commits && transaction() == TransactionState.FAILED) {
            undone();
        }
        Connection connection = master();
        if (text.kind() == SqlKind.SETTING) {
            pending.add(text);
        } else if (text.kind() == SqlKind.PRIVATE) {
            bound = true;
        }
        return connection;
    }

    @Override
    void leave() throws SQLException {
        ending = false;
        if (!inTransaction()) {
            settle();
        }
    }

    /** Whether a transaction is open, in whatever way it began; after a loss, whether one was open. */
    private boolean inTransaction() throws SQLException {
        return !autoCommit || transaction() != TransactionState.IDLE;
    }

    private TransactionState transaction() {
        return connection() instanceof BaseConnection server ? server.getTransactionState() : TransactionState.IDLE;
    }

    private void settle() {
        for (SqlText setting : pending) {
            settings.remove(setting.name());
            settings.put(setting.name(), setting.sql());
        }
        undone();
    }

    /** Drops the pending settings of the transaction. */
    private void undone() {
        pending.clear();
        savepoints.clear();
    }

    @Override
    AfterFailure failed(SQLException error) throws SQLException {
        String state = error.getSQLState();
        if (!inTransaction()) {
            pending.clear();
        }
        if (state != null && (state.startsWith("08") || state.startsWith("57P")) && super.closed()) {
            lost = true;
            aborted = !ending && inTransaction();
        }
        ending = false;
        return new Thrown(error);
    }

    @Override
    boolean autoCommit() {
        return autoCommit;
    }

    @Override
    void autoCommit(boolean on) throws SQLException {
        master().setAutoCommit(on);
        autoCommit = on;
        settle();
    }

    @Override
    void commit() throws SQLException {
        if (aborted) {
            throw notCommitted();
        }
        try {
            super.commit();
        } catch (SQLException e) {
            failed(e);
            aborted = false;
            undone();
            throw e;
        }
        settle();
    }

    private SQLException notCommitted() {
        aborted = false;
        undone();
        return new SQLNonTransientConnectionException(
                "The connection was lost in the middle of the transaction, which was not committed.", "08006");
    }

    @Override
    void rollback() throws SQLException {
        undone();
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
    Savepoint savepoint(@Nullable String name) throws SQLException {
        Savepoint savepoint = super.savepoint(name);
        savepoints.set(savepoint, pending.size());
        return savepoint;
    }

    @Override
    void rollback(Savepoint savepoint) throws SQLException {
        super.rollback(savepoint);
        int kept = savepoints.rolledBackTo(savepoint);
        pending.subList(Math.min(kept, pending.size()), pending.size()).clear();
    }

    @Override
    void release(Savepoint savepoint) throws SQLException {
        // First, because a released savepoint does not return its name any more.
        savepoints.released(savepoint);
        super.release(savepoint);
    }

    @Override
    boolean readOnly() {
        return readOnly;
    }

    @Override
    void readOnly(boolean on) throws SQLException {
        super.readOnly(on);
        readOnly = on;
        settings.remove("CHARACTERISTICS READ");
    }

    @Override
    void schema(String schema) throws SQLException {
        super.schema(schema);
        // Recorded in the same form as a SET of the same setting, so that one replaces the other.
        String to = schema == null ? "DEFAULT" : "'" + schema.replace("'", "''") + "'";
        pending.add(recognise("SET SESSION search_path TO " + to));
        leave();
    }

    @Override
    void isolation(int level) throws SQLException {
        super.isolation(level);
        isolation = level;
        settings.remove("CHARACTERISTICS ISOLATION");
    }

    @Override
    void set(String name, Setting setting) throws SQLException {
        super.set(name, setting);
        // Moved to the end, after the settings made before.
        told.remove(name);
        told.put(name, setting);
        if (name.startsWith(CLIENT_INFO)) {
            // This call sets the same parameter as pgjdbc's client info.
            settings.remove("APPLICATION_NAME");
        }
    }

    @Override
    String multimed(SqlText text) throws SQLException {
        if ("nodes".equals(OwnStatements.shown(text.sql()))) {
            return RemoteNodes.query(remote);
        }
        if (OwnStatements.isSet(text.sql())) {
            pending.add(text);
        }
        return text.sql();
    }

    @Override
    boolean valid(int timeout) throws SQLException {
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
    boolean closed() throws SQLException {
        return closed || super.closed() && (!lost || bound);
    }

    @Override
    void close() throws SQLException {
        closed = true;
        super.close();
    }

    @Override
    void abort(Executor executor) throws SQLException {
        closed = true;
        super.abort(executor);
    }
}
