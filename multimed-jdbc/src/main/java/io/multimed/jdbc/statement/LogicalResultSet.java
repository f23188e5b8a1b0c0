package io.multimed.jdbc.statement;

import io.multimed.jdbc.errors.Errors;
import io.multimed.jdbc.session.DriverSession;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** The engine's result set, linked to the application's statement. Changes made through it count as statements. */
final class LogicalResultSet extends DelegatingResultSet {
    /** A change of the current row. */
    @FunctionalInterface
    private interface Change {
        void on(ResultSet rows) throws SQLException;
    }

    private final DriverSession session;
    private final LogicalStatement statement;
    private final ResultSet rows;

    LogicalResultSet(DriverSession session, LogicalStatement statement, ResultSet rows) {
        this.session = session;
        this.statement = statement;
        this.rows = rows;
    }

    @Override
    ResultSet delegate() {
        return rows;
    }

    @Override
    public boolean next() throws SQLException {
        try {
            return rows.next();
        } catch (SQLException e) {
            throw statement.failedRows(e);
        }
    }

    @Override
    public @Nullable Statement getStatement() throws SQLException {
        return rows.getStatement() == null ? null : statement;
    }

    private void change(Change change) throws SQLException {
        session.inTurn(() -> changeInTurn(change));
    }

    private void changeInTurn(Change change) throws SQLException {
        session.propagation().checkRowChange();
        session.enter(session.recognise("UPDATE"), true);
        try {
            change.on(rows);
        } catch (SQLException e) {
            if (session.failed(e) instanceof DriverSession.Thrown thrown) {
                throw thrown.error();
            }
            throw e;
        }
        session.leave();
    }

    @Override
    public void insertRow() throws SQLException {
        change(ResultSet::insertRow);
    }

    @Override
    public void updateRow() throws SQLException {
        change(ResultSet::updateRow);
    }

    @Override
    public void refreshRow() throws SQLException {
        session.inTurn(() -> {
            if (session.isSnapshot(rows)) {
                throw Errors.notSupported("These rows are a snapshot on a replica: to refresh them, ask for"
                        + " ResultSet.CONCUR_UPDATABLE, or run the query again.");
            }
            rows.refreshRow();
        });
    }

    @Override
    public void deleteRow() throws SQLException {
        change(ResultSet::deleteRow);
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return type != null && type.isInstance(this) ? type.cast(this) : rows.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return (type != null && type.isInstance(this)) || rows.isWrapperFor(type);
    }

    @Override
    public String toString() {
        return "Multimed result set of " + statement;
    }
}
