package io.multimed.jdbc.statements;

import io.multimed.engine.embedded.StatementRecorder;
import io.multimed.engine.embedded.spi.Changes;
import io.multimed.engine.embedded.spi.MasterSession;
import io.multimed.jdbc.statements.StatementChanges.Executed;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A connection to the Master, and what its open transaction has executed. */
final class StatementSession implements MasterSession, StatementRecorder {
    private final Adapter adapter;
    private final Connection connection;
    private final List<Executed> executed = new ArrayList<>();
    /** The transaction is being committed or rolled back. */
    private final Object ending = new Object();
    /** The transaction was rolled back, and the application has only been told that a statement failed. */
    private boolean lost;
    /** That was drawn last. */
    private long key;

    StatementSession(Adapter adapter, Connection connection) {
        this.adapter = adapter;
        this.connection = connection;
    }

    @Override
    public Connection connection() {
        return connection;
    }

    @Override
    public StatementRecorder recorder() {
        return this;
    }

    @Override
    public void before() throws SQLException {
        if (lost) {
            throw rolledBack();
        }
    }

    @Override
    public void lock(String mode) throws SQLException {
        adapter.lock(connection, mode);
    }

    private static SQLException rolledBack() {
        return new SQLTransactionRollbackException(
                "A statement of this transaction failed and it was rolled back; run it again.", "40001");
    }

    @Override
    public void executed(String sql, @Nullable Bindings bindings, long rows) throws SQLException {
        try {
            long counted = rows == NO_COUNT ? rows : adapter.rows(connection, rows);
            long drawn = adapter.key(connection);
            executed.add(new Executed(sql, connection.getSchema(), bindings, counted, drawn == key ? null : drawn));
            key = drawn;
        } catch (SQLException e) {
            // It must not be committed without the others knowing.
            lost = true;
            throw e;
        }
    }

    @Override
    public void failed(SQLException error, boolean begun) throws SQLException {
        Adapter.Fate fate = adapter.fate(error);
        if (fate == Adapter.Fate.GOES_ON) {
            key = adapter.key(connection);
            return;
        }
        if (fate == Adapter.Fate.UNKNOWN) {
            // Whatever it has left must not be committed here alone, nor what was read before be relied on.
            boolean relied = begun || !executed.isEmpty();
            undo();
            lost = relied;
            key = adapter.key(connection);
        }
        executed.clear();
    }

    /** As long as that fails, what is open must not be committed: Satellites would not hear of it. */
    private void undo() throws SQLException {
        lost = true;
        executed.clear();
        synchronized (ending) {
            adapter.rollback(connection);
        }
        lost = false;
    }

    @Override
    public void cancel(Statement statement) throws SQLException {
        synchronized (ending) {
            statement.cancel();
        }
    }

    @Override
    public int size() {
        return executed.size();
    }

    @Override
    public void rolledBackTo(int size) {
        if (size < executed.size()) {
            executed.subList(size, executed.size()).clear();
        }
    }

    @Override
    public boolean hasChanges() {
        return lost || !executed.isEmpty();
    }

    @Override
    public @Nullable Changes capture() throws SQLException {
        before();
        return executed.isEmpty() ? null : StatementChanges.of(executed);
    }

    @Override
    public void commit() throws SQLException {
        synchronized (ending) {
            connection.commit();
        }
        executed.clear();
    }

    @Override
    public void rollback() throws SQLException {
        undo();
    }

    @Override
    public boolean strayed() {
        return false;
    }

    @Override
    public long lockTimeoutMillis() {
        return adapter.lockTimeoutMillis();
    }
}
