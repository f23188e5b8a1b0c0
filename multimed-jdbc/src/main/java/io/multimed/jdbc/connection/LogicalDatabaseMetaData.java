package io.multimed.jdbc.connection;

import io.multimed.jdbc.session.DriverSession;
import io.multimed.jdbc.sql.SqlText;
import io.multimed.jdbc.statement.StatementFactory;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The Master's metadata with the application's URL. Each catalog query is a statement on the Master. */
final class LogicalDatabaseMetaData extends DelegatingDatabaseMetaData {
    private final DriverSession session;
    private final LogicalConnection connection;
    private final StatementFactory statements;

    LogicalDatabaseMetaData(DriverSession session, LogicalConnection connection, StatementFactory statements) {
        this.session = session;
        this.connection = connection;
        this.statements = statements;
    }

    @Override
    DatabaseMetaData delegate() throws SQLException {
        connection.checkOpen();
        return session.master().getMetaData();
    }

    @Override
    DatabaseMetaData asked() throws SQLException {
        session.takeTurn();
        connection.checkOpen();
        return session.enter(SqlText.CALL, true).getMetaData();
    }

    @Override
    ResultSet answered(ResultSet result) throws SQLException {
        session.leave();
        return statements.catalog(result);
    }

    @Override
    SQLException refused(SQLException error) {
        try {
            return session.failed(error) instanceof DriverSession.Thrown thrown ? thrown.error() : error;
        } catch (SQLException e) {
            return e;
        }
    }

    @Override
    void ended() {
        session.endTurn();
    }

    @Override
    public Connection getConnection() throws SQLException {
        connection.checkOpen();
        return connection;
    }

    @Override
    public int getDriverMajorVersion() {
        return versions(DatabaseMetaData::getDriverMajorVersion);
    }

    @Override
    public int getDriverMinorVersion() {
        return versions(DatabaseMetaData::getDriverMinorVersion);
    }

    /** Returns a version of the engine's driver, in accordance with the driver's name, which is the engine's too. */
    private int versions(java.util.function.ToIntFunction<DatabaseMetaData> version) {
        try {
            return version.applyAsInt(session.master().getMetaData());
        } catch (SQLException e) {
            throw new IllegalStateException("the engine does not tell its driver's version", e);
        }
    }

    @Override
    public String getURL() {
        return session.url();
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

    @Override
    public String toString() {
        return "Multimed metadata of " + connection;
    }
}
