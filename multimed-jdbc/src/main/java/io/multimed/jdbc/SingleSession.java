package io.multimed.jdbc;

import io.multimed.jdbc.sql.Dialect;
import io.multimed.jdbc.sql.SqlText;
import io.multimed.jdbc.sql.SqlTexts;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A session on one engine connection without replicas: every call is the engine's own, transactions included. */
class SingleSession extends Session {
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
    Dialect dialect() {
        return texts.dialect();
    }

    @Override
    SqlText recognise(String sql) {
        return texts.of(sql);
    }

    @Override
    String url() {
        return url;
    }

    @Override
    Connection master() throws SQLException {
        return connection;
    }

    @Override
    Connection preparation(SqlText text, boolean masterOnly) throws SQLException {
        return master();
    }

    @Override
    boolean mayMove(SqlText text) {
        return false;
    }

    @Override
    Connection enter(SqlText text, boolean masterOnly) throws SQLException {
        return master();
    }

    @Override
    void leave() throws SQLException {}

    @Override
    AfterFailure failed(SQLException error) throws SQLException {
        return new Thrown(error);
    }

    @Override
    long define(SqlText text, Work onMaster) throws SQLException {
        return onMaster.run();
    }

    @Override
    void followed(SqlText text) {}

    @Override
    void pin() {}

    @Override
    boolean autoCommit() throws SQLException {
        return master().getAutoCommit();
    }

    @Override
    void autoCommit(boolean on) throws SQLException {
        master().setAutoCommit(on);
    }

    @Override
    void begin(SqlText text) throws SQLException {
        throw new IllegalStateException("a single engine begins transactions itself");
    }

    @Override
    void commit() throws SQLException {
        master().commit();
    }

    @Override
    void rollback() throws SQLException {
        master().rollback();
    }

    @Override
    Savepoint savepoint(@Nullable String name) throws SQLException {
        return name == null ? master().setSavepoint() : master().setSavepoint(name);
    }

    @Override
    void rollback(Savepoint savepoint) throws SQLException {
        master().rollback(savepoint);
    }

    @Override
    void release(Savepoint savepoint) throws SQLException {
        master().releaseSavepoint(savepoint);
    }

    @Override
    boolean readOnly() throws SQLException {
        return master().isReadOnly();
    }

    @Override
    void readOnly(boolean on) throws SQLException {
        master().setReadOnly(on);
    }

    @Override
    void isolation(int level) throws SQLException {
        master().setTransactionIsolation(level);
    }

    @Override
    void schema(String schema) throws SQLException {
        master().setSchema(schema);
    }

    @Override
    @Nullable
    String multimed(SqlText text) throws SQLException {
        throw Errors.notSupported("There is nothing to be chosen or shown here: " + text.sql());
    }

    @Override
    boolean closed() throws SQLException {
        return connection.isClosed();
    }

    @Override
    void close() throws SQLException {
        connection.close();
    }

    @Override
    void abort(Executor executor) throws SQLException {
        connection.abort(executor);
    }
}
