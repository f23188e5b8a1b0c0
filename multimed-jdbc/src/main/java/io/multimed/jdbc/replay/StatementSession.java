package io.multimed.jdbc.replay;

import io.multimed.engine.embedded.StatementRecorder;
import io.multimed.engine.embedded.spi.Changes;
import io.multimed.engine.embedded.spi.MasterSession;
import io.multimed.jdbc.engine.Fate;
import io.multimed.jdbc.engine.JdbcEngine;
import io.multimed.jdbc.replay.StatementChanges.Executed;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A connection to the Master, and the changes that its open transaction has executed. */
final class StatementSession implements MasterSession, StatementRecorder {
    private final JdbcEngine engine;
    private final Connection connection;
    private final List<Executed> executed = new ArrayList<>();
    /** Monitor held while the transaction is being committed or rolled back. */
    private final Object ending = new Object();
    /** Whether the transaction was rolled back although the application has only got the error of a statement. */
    private boolean lost;
    /** Whether a definition may have left something behind that was not recorded. */
    private boolean missed;
    /** The key that was drawn last. */
    private long key;

    StatementSession(JdbcEngine engine, Connection connection) {
        this.engine = engine;
        this.connection = connection;
    }

    @Override
    public Connection connection() {
        return connection;
    }

    @Override
    public @Nullable String schema() throws SQLException {
        return engine.schema(connection);
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
        engine.lock(connection, mode);
    }

    private static SQLException rolledBack() {
        return new SQLTransactionRollbackException(
                "A statement of this transaction failed and it was rolled back; run it again.", "40001");
    }

    @Override
    public void executed(String sql, @Nullable Bindings bindings, @Nullable Count count) throws SQLException {
        boolean kept = false;
        try {
            long drawn = engine.key(connection);
            executed.add(new Executed(sql, schema(), bindings, rows(count), drawn == key ? null : drawn));
            key = drawn;
            kept = true;
        } finally {
            if (!kept) {
                // The transaction must not be committed without this change being recorded.
                lost = true;
            }
        }
    }

    private long rows(@Nullable Count count) throws SQLException {
        return count == null ? StatementChanges.DEFINITION : engine.rows(connection, count::rows);
    }

    @Override
    public void failed(SQLException error, boolean begun, boolean defining) throws SQLException {
        Fate fate = fate(error);
        missed |= defining && fate != Fate.GOES_ON && definesAlone();
        if (fate == Fate.GOES_ON) {
            key = engine.key(connection);
            return;
        }
        if (fate == Fate.UNKNOWN) {
            // The rest of the transaction must not be committed here alone, and its earlier reads are no longer valid.
            boolean relied = begun || !executed.isEmpty();
            undo();
            lost = relied;
            key = engine.key(connection);
        }
        executed.clear();
    }

    /** Whether the effects of a definition are not undone with its transaction. */
    private boolean definesAlone() {
        return !engine.definitionsAreTransactional();
    }

    private Fate fate(SQLException error) {
        try {
            return engine.fate(error);
        } catch (RuntimeException e) {
            error.addSuppressed(e);
            return Fate.UNKNOWN;
        }
    }

    /** Rolls back. Until that succeeds, the open transaction must not be committed, because Satellites would not receive it. */
    private void undo() throws SQLException {
        lost = true;
        executed.clear();
        synchronized (ending) {
            engine.rollback(connection);
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

    /** Rolls back, because some drivers begin a transaction, and with it a snapshot, as soon as the previous one has ended. */
    @Override
    public void begin() throws SQLException {
        engine.rollback(connection);
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
        boolean committed = false;
        try {
            synchronized (ending) {
                connection.commit();
            }
            committed = true;
        } finally {
            missed |= !committed && definesAlone() && executed.stream().anyMatch(Executed::isDefinition);
        }
        executed.clear();
    }

    @Override
    public boolean missed() {
        boolean was = missed;
        missed = false;
        return was;
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
        return engine.patienceMillis();
    }
}
