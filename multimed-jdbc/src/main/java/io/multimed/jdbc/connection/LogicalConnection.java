package io.multimed.jdbc.connection;

import io.multimed.jdbc.errors.Errors;
import io.multimed.jdbc.session.DriverSession;
import io.multimed.jdbc.statement.StatementFactory;
import io.multimed.jdbc.statement.StatementForm;
import io.multimed.jdbc.statement.StatementForm.Kind;
import io.multimed.jdbc.statement.StatementOwner;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The application's connection. Methods that are not overridden here go to the engine's connection to the Master. */
public final class LogicalConnection extends DelegatingConnection implements StatementOwner {
    private final DriverSession session;
    private final StatementFactory factory;
    /** Whether it was closed; other threads may abort it. */
    private final AtomicBoolean closed = new AtomicBoolean();
    /** The owner that keeps the session; null if the session ends with this connection. */
    private final @Nullable ConnectionOwner owner;
    /** Filled only if there is an owner: the statements end with this connection, while the session goes on. */
    private final OpenStatements statements = new OpenStatements();

    /**
     * Makes the connection.
     *
     * @param owner keeps the session when this is closed; null if the session ends then
     */
    public LogicalConnection(DriverSession session, @Nullable ConnectionOwner owner) {
        this.session = session;
        this.owner = owner;
        factory = new StatementFactory(session, this);
    }

    @Override
    Connection delegate() throws SQLException {
        checkOpen();
        return session.master();
    }

    @Override
    public void checkOpen() throws SQLException {
        if (closed.get()) {
            throw session.errors().closed("connection");
        }
    }

    @Override
    public void made(Statement statement) {
        if (owner != null) {
            statements.add(statement);
        }
    }

    @Override
    public void ended(Statement statement) {
        if (owner != null && statement instanceof PreparedStatement prepared) {
            owner.closed(prepared);
        }
    }

    @Override
    public void failed(SQLException error) {
        if (owner != null) {
            owner.failed(this, error);
        }
    }

    @Override
    public void checkMayEndTransaction() throws SQLException {
        if (owner != null) {
            owner.checkMayEndTransaction();
        }
    }

    @Override
    public Statement createStatement() throws SQLException {
        return factory.plain(StatementForm.of(Kind.PLAIN, ""));
    }

    @Override
    public Statement createStatement(int type, int concurrency) throws SQLException {
        return factory.plain(StatementForm.of(Kind.PLAIN, "", type, concurrency));
    }

    @Override
    public Statement createStatement(int type, int concurrency, int holdability) throws SQLException {
        return factory.plain(StatementForm.of(Kind.PLAIN, "", type, concurrency, holdability));
    }

    @Override
    public PreparedStatement prepareStatement(String sql) throws SQLException {
        return factory.prepared(StatementForm.of(Kind.PREPARED, sql));
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int type, int concurrency) throws SQLException {
        return factory.prepared(StatementForm.of(Kind.PREPARED, sql, type, concurrency));
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int type, int concurrency, int holdability)
            throws SQLException {
        return factory.prepared(StatementForm.of(Kind.PREPARED, sql, type, concurrency, holdability));
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int keys) throws SQLException {
        return factory.prepared(StatementForm.keys(sql, keys));
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int[] columns) throws SQLException {
        return factory.prepared(StatementForm.keys(sql, columns));
    }

    @Override
    public PreparedStatement prepareStatement(String sql, String[] columns) throws SQLException {
        return factory.prepared(StatementForm.keys(sql, columns));
    }

    @Override
    public CallableStatement prepareCall(String sql) throws SQLException {
        return factory.callable(StatementForm.of(Kind.CALLABLE, sql));
    }

    @Override
    public CallableStatement prepareCall(String sql, int type, int concurrency) throws SQLException {
        return factory.callable(StatementForm.of(Kind.CALLABLE, sql, type, concurrency));
    }

    @Override
    public CallableStatement prepareCall(String sql, int type, int concurrency, int holdability) throws SQLException {
        return factory.callable(StatementForm.of(Kind.CALLABLE, sql, type, concurrency, holdability));
    }

    @Override
    public DatabaseMetaData getMetaData() throws SQLException {
        checkOpen();
        return new LogicalDatabaseMetaData(session, this, factory);
    }

    @Override
    public boolean getAutoCommit() throws SQLException {
        checkOpen();
        return session.autoCommit();
    }

    @Override
    public void setAutoCommit(boolean on) throws SQLException {
        checkOpen();
        checkMayEndTransaction();
        session.inTurn(() -> session.autoCommit(on));
    }

    @Override
    public void commit() throws SQLException {
        checkOpen();
        checkMayEndTransaction();
        try {
            session.inTurn(() -> session.commit());
        } catch (SQLException e) {
            failed(e);
            throw e;
        }
    }

    @Override
    public void rollback() throws SQLException {
        checkOpen();
        checkMayEndTransaction();
        try {
            session.inTurn(() -> session.rollback());
        } catch (SQLException e) {
            failed(e);
            throw e;
        }
    }

    @Override
    public Savepoint setSavepoint() throws SQLException {
        checkOpen();
        return session.inTurn(() -> session.savepoint((String) null));
    }

    @Override
    public Savepoint setSavepoint(String name) throws SQLException {
        checkOpen();
        return session.inTurn(() -> session.savepoint(name));
    }

    @Override
    public void rollback(Savepoint savepoint) throws SQLException {
        checkOpen();
        session.inTurn(() -> session.rollback(savepoint));
    }

    @Override
    public void releaseSavepoint(Savepoint savepoint) throws SQLException {
        checkOpen();
        session.inTurn(() -> session.release(savepoint));
    }

    @Override
    public boolean isReadOnly() throws SQLException {
        checkOpen();
        return session.readOnly();
    }

    @Override
    public void setReadOnly(boolean on) throws SQLException {
        checkOpen();
        session.inTurn(() -> session.readOnly(on));
    }

    @Override
    public int getTransactionIsolation() throws SQLException {
        checkOpen();
        return session.isolation();
    }

    @Override
    public void setTransactionIsolation(int level) throws SQLException {
        checkOpen();
        session.inTurn(() -> session.isolation(level));
    }

    @Override
    public void setSchema(String schema) throws SQLException {
        checkOpen();
        session.inTurn(() -> session.schema(schema));
    }

    @Override
    public void setCatalog(String catalog) throws SQLException {
        checkOpen();
        session.inTurn(() -> {
            Connection engine = session.master();
            session.propagation().checkCatalog(engine, catalog);
            engine.setCatalog(catalog);
        });
    }

    private void set(String about, DriverSession.Setting setting) throws SQLException {
        session.inTurn(() -> session.set(about, setting));
    }

    @Override
    public void setHoldability(int holdability) throws SQLException {
        checkOpen();
        set(DriverSession.HOLDABILITY, engine -> engine.setHoldability(holdability));
    }

    @Override
    public void setNetworkTimeout(Executor executor, int milliseconds) throws SQLException {
        checkOpen();
        set("networkTimeout", engine -> engine.setNetworkTimeout(executor, milliseconds));
    }

    @Override
    public void setTypeMap(Map<String, Class<?>> map) throws SQLException {
        checkOpen();
        set("typeMap", engine -> engine.setTypeMap(map));
        if (map != null && !map.isEmpty()) {
            // Only the Master's connection knows the application's classes.
            session.pin();
        }
    }

    @Override
    public void setClientInfo(String name, String value) throws SQLClientInfoException {
        setClientInfo(DriverSession.CLIENT_INFO + " " + name, engine -> engine.setClientInfo(name, value));
    }

    @Override
    public void setClientInfo(Properties properties) throws SQLClientInfoException {
        setClientInfo(DriverSession.CLIENT_INFO, engine -> engine.setClientInfo(properties));
    }

    private void setClientInfo(String about, DriverSession.Setting setting) throws SQLClientInfoException {
        try {
            checkOpen();
            set(about, setting);
        } catch (SQLClientInfoException e) {
            throw e;
        } catch (SQLException e) {
            throw new SQLClientInfoException(e.getMessage(), e.getSQLState(), e.getErrorCode(), Map.of(), e);
        }
    }

    @Override
    public @Nullable SQLWarning getWarnings() throws SQLException {
        checkOpen();
        return session.warnings();
    }

    @Override
    public void clearWarnings() throws SQLException {
        checkOpen();
        session.clearWarnings();
    }

    @Override
    public boolean isClosed() throws SQLException {
        return closed.get() || session.closed();
    }

    @Override
    public boolean isValid(int timeout) throws SQLException {
        return !closed.get() && !session.closed() && session.valid(timeout);
    }

    @Override
    public void close() throws SQLException {
        if (owner == null) {
            if (closed.compareAndSet(false, true)) {
                session.close();
            }
        } else if (forget()) {
            owner.released(this);
        }
    }

    /**
     * Ends this connection and its statements, and leaves the session to its owner.
     *
     * @return false if it had ended before
     */
    public boolean forget() throws SQLException {
        if (!closed.compareAndSet(false, true)) {
            return false;
        }
        statements.close();
        return true;
    }

    @Override
    public void abort(Executor executor) throws SQLException {
        if (executor == null) {
            throw Errors.invalid("There is no executor to end the connection with: it is null.");
        }
        if (closed.compareAndSet(false, true)) {
            try {
                session.abort(executor);
            } catch (RejectedExecutionException e) {
                // Nothing else would end the session.
                session.close();
            }
            failed(Errors.closed("connection"));
        }
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return type != null && type.isInstance(this)
                ? type.cast(this)
                : delegate().unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return (type != null && type.isInstance(this)) || delegate().isWrapperFor(type);
    }

    /** Returns a description that distinguishes connections and contains no passwords, because pools log it. */
    @Override
    public String toString() {
        return "Multimed connection " + Integer.toHexString(System.identityHashCode(this)) + " to " + session.url();
    }
}
