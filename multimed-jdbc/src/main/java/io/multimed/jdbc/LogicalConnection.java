package io.multimed.jdbc;

import io.multimed.jdbc.StatementForm.Kind;
import io.multimed.jdbc.sql.SqlKind;
import io.multimed.jdbc.sql.SqlText;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLClientInfoException;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The application's connection. Methods that are not overridden here go to the engine's connection to the Master. */
final class LogicalConnection extends DelegatingConnection {
    private final Session session;
    private final EngineErrors errors;
    /** Whether it was closed; other threads may abort it. */
    private final AtomicBoolean closed = new AtomicBoolean();
    /** The owner that keeps the session; null if the session ends with this connection. */
    private final @Nullable ConnectionOwner owner;
    /** The open statements, kept only if there is an owner: they end with this connection, while the session goes on. */
    private final Set<LogicalStatement> statements = Collections.newSetFromMap(new WeakHashMap<>());

    /**
     * Makes the connection.
     *
     * @param owner keeps the session when this is closed; null if the session ends then
     */
    LogicalConnection(Session session, @Nullable ConnectionOwner owner) {
        this.session = session;
        this.owner = owner;
        this.errors = new EngineErrors(session.dialect());
    }

    @Override
    Connection delegate() throws SQLException {
        checkOpen();
        return session.master();
    }

    void checkOpen() throws SQLException {
        if (closed.get()) {
            throw closedObject("connection");
        }
    }

    /** Notes a new statement of this connection. */
    void made(LogicalStatement statement) {
        if (owner != null) {
            synchronized (statements) {
                statements.add(statement);
            }
        }
    }

    /** Notes that the application has closed a statement. */
    void ended(LogicalStatement statement) {
        if (owner != null && statement instanceof PreparedStatement prepared) {
            owner.closed(prepared);
        }
    }

    /** Notes that a call has failed. */
    void failed(SQLException error) {
        if (owner != null) {
            owner.failed(this, error);
        }
    }

    /**
     * Checks that the application may end the open transaction.
     *
     * @throws SQLException if it may not
     */
    void checkMayEndTransaction() throws SQLException {
        if (owner != null) {
            owner.checkMayEndTransaction();
        }
    }

    SQLException closedObject(String what) {
        return errors.closed(what);
    }

    /** Returns the engine's error for {@code executeQuery} with a statement that returns no rows. */
    SQLException noQuery() {
        return errors.noQuery();
    }

    /** Returns the engine's error for a statement that was cancelled. */
    SQLException cancelled() {
        return errors.cancelled();
    }

    /** Returns the engine's error for a statement that took too long, or a similar one. */
    SQLException timedOut(int seconds) {
        return errors.timedOut(seconds);
    }

    boolean goesOnAfterFailureInBatch() {
        return errors.goesOnAfterFailureInBatch();
    }

    private Statement plain(StatementForm asked) throws SQLException {
        checkOpen();
        StatementForm form = session.form(asked);
        LogicalStatement statement = new LogicalStatement(session, this, form);
        if (form.masterOnly()) {
            // The engine may object to the requested kind of result set.
            statement.on(session.master());
        }
        return statement;
    }

    private PreparedStatement prepared(StatementForm asked) throws SQLException {
        checkText(asked);
        StatementForm form = session.form(asked);
        SqlText text = session.recognise(form.sql());
        if (text.kind() == SqlKind.MULTIMED) {
            String query = session.multimed(text);
            if (!form.sql().equals(query)) {
                return prepared(StatementForm.of(Kind.PREPARED, query == null ? "" : query));
            }
        }
        if (text.kind() == SqlKind.SEVERAL) {
            throw Errors.notSupported("A prepared statement holds several statements, one of which defines something or"
                    + " ends a transaction: prepare them one by one, or use a plain Statement.");
        }
        try {
            return session.inTurn(() -> new LogicalPreparedStatement(session, this, form));
        } catch (IllegalStateException e) {
            throw Errors.noStatement(e);
        }
    }

    /** Checks that there is a text. For null, the engine's own error is thrown. */
    private void checkText(StatementForm form) throws SQLException {
        checkOpen();
        if (form.sql() == null) {
            try {
                form.create(session.master()).close();
            } catch (NullPointerException e) {
                throw Errors.noStatement(e);
            }
            throw Errors.invalid("There is no statement to be prepared: the text is null.");
        }
    }

    private CallableStatement callable(StatementForm form) throws SQLException {
        checkText(form);
        if (session.repeats()) {
            throw Errors.notSupported("With propagation=statements nothing is called: prepare a statement instead.");
        }
        return session.inTurn(() -> new LogicalCallableStatement(session, this, form));
    }

    @Override
    public Statement createStatement() throws SQLException {
        return plain(StatementForm.of(Kind.PLAIN, ""));
    }

    @Override
    public Statement createStatement(int type, int concurrency) throws SQLException {
        return plain(StatementForm.of(Kind.PLAIN, "", type, concurrency));
    }

    @Override
    public Statement createStatement(int type, int concurrency, int holdability) throws SQLException {
        return plain(StatementForm.of(Kind.PLAIN, "", type, concurrency, holdability));
    }

    @Override
    public PreparedStatement prepareStatement(String sql) throws SQLException {
        return prepared(StatementForm.of(Kind.PREPARED, sql));
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int type, int concurrency) throws SQLException {
        return prepared(StatementForm.of(Kind.PREPARED, sql, type, concurrency));
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int type, int concurrency, int holdability)
            throws SQLException {
        return prepared(StatementForm.of(Kind.PREPARED, sql, type, concurrency, holdability));
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int keys) throws SQLException {
        return prepared(StatementForm.keys(sql, keys));
    }

    @Override
    public PreparedStatement prepareStatement(String sql, int[] columns) throws SQLException {
        return prepared(StatementForm.keys(sql, columns));
    }

    @Override
    public PreparedStatement prepareStatement(String sql, String[] columns) throws SQLException {
        return prepared(StatementForm.keys(sql, columns));
    }

    @Override
    public CallableStatement prepareCall(String sql) throws SQLException {
        return callable(StatementForm.of(Kind.CALLABLE, sql));
    }

    @Override
    public CallableStatement prepareCall(String sql, int type, int concurrency) throws SQLException {
        return callable(StatementForm.of(Kind.CALLABLE, sql, type, concurrency));
    }

    @Override
    public CallableStatement prepareCall(String sql, int type, int concurrency, int holdability) throws SQLException {
        return callable(StatementForm.of(Kind.CALLABLE, sql, type, concurrency, holdability));
    }

    @Override
    public DatabaseMetaData getMetaData() throws SQLException {
        checkOpen();
        return new LogicalDatabaseMetaData(session, this);
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
            if (session.repeats() && !Objects.equals(catalog, engine.getCatalog())) {
                throw Errors.notSupported("With propagation=statements names are looked up in the database that the URL"
                        + " names: connect to another one by another URL.");
            }
            engine.setCatalog(catalog);
        });
    }

    private void set(String about, Session.Setting setting) throws SQLException {
        session.inTurn(() -> session.set(about, setting));
    }

    @Override
    public void setHoldability(int holdability) throws SQLException {
        checkOpen();
        set(Session.HOLDABILITY, engine -> engine.setHoldability(holdability));
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
        setClientInfo(Session.CLIENT_INFO + " " + name, engine -> engine.setClientInfo(name, value));
    }

    @Override
    public void setClientInfo(Properties properties) throws SQLClientInfoException {
        setClientInfo(Session.CLIENT_INFO, engine -> engine.setClientInfo(properties));
    }

    private void setClientInfo(String about, Session.Setting setting) throws SQLClientInfoException {
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
    boolean forget() throws SQLException {
        if (!closed.compareAndSet(false, true)) {
            return false;
        }
        List<LogicalStatement> open;
        synchronized (statements) {
            open = List.copyOf(statements);
            statements.clear();
        }
        for (LogicalStatement statement : open) {
            statement.close();
        }
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
        return type != null && type.isInstance(this) || delegate().isWrapperFor(type);
    }

    /** Returns a description that distinguishes connections and contains no passwords, because pools log it. */
    @Override
    public String toString() {
        return "Multimed connection " + Integer.toHexString(System.identityHashCode(this)) + " to " + session.url();
    }
}
