package io.multimed.jdbc.remote;

import io.multimed.jdbc.errors.Errors;
import io.multimed.jdbc.session.DriverSession;
import io.multimed.jdbc.sql.Dialect;
import io.multimed.jdbc.sql.SqlText;
import io.multimed.jdbc.sql.SqlTexts;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A session on one engine connection without replicas: every call is the engine's own, transactions included. */
class SingleSession extends DriverSession {
    private final String url;
    private final SqlTexts texts;
    /** The engine's connection; other threads may abort it. */
    private volatile Connection connection;

    SingleSession(String url, SqlTexts texts, Connection connection) {
        this.url = url;
        this.texts = texts;
        this.connection = connection;
    }

    /** Returns the connection as it is, even if it is lost. */
    final Connection connection() {
        return connection;
    }

    final void connection(Connection connection) {
        this.connection = connection;
    }

    @Override
    public Dialect dialect() {
        return texts.dialect();
    }

    @Override
    public SqlText recognise(String sql) {
        return texts.of(sql);
    }

    @Override
    public String url() {
        return url;
    }

    @Override
    public Connection master() throws SQLException {
        return connection;
    }

    @Override
    public Connection preparation(SqlText text, boolean masterOnly) throws SQLException {
        return master();
    }

    @Override
    public boolean mayMove(SqlText text) {
        return false;
    }

    @Override
    public Connection enter(SqlText text, boolean masterOnly) throws SQLException {
        return master();
    }

    @Override
    public void leave() throws SQLException {}

    @Override
    public AfterFailure failed(SQLException error) throws SQLException {
        return new Thrown(error);
    }

    @Override
    public long define(SqlText text, Work onMaster) throws SQLException {
        return onMaster.run();
    }

    @Override
    public void followed(SqlText text) {}

    @Override
    public void pin() {}

    @Override
    public boolean autoCommit() throws SQLException {
        return master().getAutoCommit();
    }

    @Override
    public void autoCommit(boolean on) throws SQLException {
        master().setAutoCommit(on);
    }

    @Override
    public void begin(SqlText text) throws SQLException {
        throw new IllegalStateException("a single engine begins transactions itself");
    }

    @Override
    public void commit() throws SQLException {
        master().commit();
    }

    @Override
    public void rollback() throws SQLException {
        master().rollback();
    }

    @Override
    public Savepoint savepoint(@Nullable String name) throws SQLException {
        return name == null ? master().setSavepoint() : master().setSavepoint(name);
    }

    @Override
    public void rollback(Savepoint savepoint) throws SQLException {
        master().rollback(savepoint);
    }

    @Override
    public void release(Savepoint savepoint) throws SQLException {
        master().releaseSavepoint(savepoint);
    }

    @Override
    public boolean readOnly() throws SQLException {
        return master().isReadOnly();
    }

    @Override
    public void readOnly(boolean on) throws SQLException {
        master().setReadOnly(on);
    }

    @Override
    public void isolation(int level) throws SQLException {
        master().setTransactionIsolation(level);
    }

    @Override
    public void schema(String schema) throws SQLException {
        master().setSchema(schema);
    }

    @Override
    public @Nullable String multimed(SqlText text) throws SQLException {
        throw Errors.notSupported("There is nothing to be chosen or shown here: " + text.sql());
    }

    @Override
    public boolean closed() throws SQLException {
        return connection.isClosed();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    @Override
    public void abort(Executor executor) throws SQLException {
        connection.abort(executor);
    }
}
