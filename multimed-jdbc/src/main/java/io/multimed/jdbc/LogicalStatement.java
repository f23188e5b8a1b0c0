package io.multimed.jdbc;

import io.multimed.jdbc.sql.SqlKind;
import io.multimed.jdbc.sql.SqlText;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A statement of the application. On each node where it has run it has a physical statement of the engine, which is made when it
 * is first needed. Methods that are not overridden here go to the physical statement that ran last.
 */
class LogicalStatement extends DelegatingStatement {
    private static final int NONE = -1;

    final Session session;
    final StatementForm form;
    final LogicalConnection connection;

    private final PhysicalStatements physicals;
    /** The physical statement that ran last; other threads cancel it. */
    private volatile @Nullable Statement current;

    /** A new object with each cancellation. */
    private volatile @Nullable Object cancellation;

    private @Nullable ResultSet answer;
    private @Nullable LogicalResultSet resultSet;
    /** The update count of a statement that no engine has executed, otherwise {@link #NONE}. */
    private int ownCount = NONE;

    private @Nullable Batch batch;
    private int timeoutSeconds;
    private boolean closesOnCompletion;
    private boolean closed;

    LogicalStatement(Session session, LogicalConnection connection, StatementForm form) {
        this.session = session;
        this.connection = connection;
        this.form = form;
        physicals = new PhysicalStatements(form);
        connection.made(this);
    }

    @Override
    Statement delegate() throws SQLException {
        return living();
    }

    /**
     * Returns the physical statement that ran last. If its node has been dropped since, returns the Master's, so that settings can
     * be made.
     */
    final Statement living() throws SQLException {
        Statement known = current;
        checkOpen();
        return known == null || physicals.isDead(known) ? on(session.master()) : known;
    }

    /** Returns the physical statement that ran last, which alone has the results. */
    private Statement answering() throws SQLException {
        Statement known = current;
        checkOpen();
        return known == null ? living() : known;
    }

    final void checkOpen() throws SQLException {
        if (closed || closesOnCompletion && isCompleted()) {
            throw connection.closedObject("statement");
        }
        connection.checkOpen();
    }

    /** Whether the engine has closed the statement together with its rows. Then it must not be made anew on another node. */
    private boolean isCompleted() throws SQLException {
        Statement known = current;
        return known != null && known.isClosed() && !physicals.isDead(known);
    }

    /** Returns the physical statement on this connection, ready for the next call. */
    final Statement on(Connection node) throws SQLException {
        Statement former = current;
        Statement physical = physicals.on(node, former);
        if (physical != former) {
            switchTo(physical, former);
        }
        return physical;
    }

    private void switchTo(Statement physical, @Nullable Statement former) throws SQLException {
        if (former != null) {
            closeResultSet();
        }
        moved(physical);
        current = physical;
    }

    /** Called when the statement moves to another node. */
    void moved(Statement physical) throws SQLException {}

    /** Whether the statement must run on the Master, whatever its text. */
    boolean masterOnly() {
        return form.masterOnly();
    }

    final long answer(ResultSet result) {
        answer = result;
        return 1;
    }

    /** Executes a text. Returns the result of {@code execution}. */
    final long run(SqlText text, Execution execution) throws SQLException {
        session.turn.lock();
        try {
            begin();
            return text.kind().isSpecial() ? SpecialExecution.run(this, text, execution) : ordinary(text, execution);
        } catch (SQLException e) {
            connection.failed(e);
            throw e;
        } finally {
            session.turn.unlock();
        }
    }

    /** Drops earlier results. */
    final void begin() throws SQLException {
        checkOpen();
        ownCount = NONE;
        answer = null;
    }

    /** Executes a text that affects only the node on which it runs. */
    final long ordinary(SqlText text, Execution execution) throws SQLException {
        boolean masterOnly = masterOnly();
        Object before = cancellation;
        QueryTimeout timeout = QueryTimeout.from(timeoutSeconds);
        while (true) {
            Connection node = session.enter(text, masterOnly, timeout.nanos());
            long result;
            try {
                if (cancellation != before) {
                    // The statement was cancelled while it waited for admission, before the engine received it.
                    throw connection.cancelled();
                }
                result = timeout.execute(this, on(node), text.sql(), execution);
                complete(text, result);
            } catch (SQLException e) {
                Session.AfterFailure after = session.failed(e);
                if (after instanceof Session.Again again) {
                    masterOnly |= again.masterOnly();
                    continue;
                }
                throw ((Session.Thrown) after).error();
            } catch (RuntimeException e) {
                session.failed(e);
                throw e;
            }
            if (session.left()) {
                return result;
            }
        }
    }

    /** Completes a statement that the engine has executed. If this fails, the statement has failed. */
    private void complete(SqlText text, long result) throws SQLException {
        if (text.kind() == SqlKind.CHANGE && session.repeats()) {
            Statement executed = answering();
            session.executed(text, bound(), executed::getUpdateCount);
        } else if (result != 0 && session.readsAhead()) {
            ReadAhead.read(answer == null ? answering().getResultSet() : answer);
        }
    }

    /** Returns a copy of the parameters with which it was executed; null if it was not prepared. */
    @Nullable
    Parameters bound() {
        return null;
    }

    /** Sets the result of a statement that no engine has executed: no rows, none changed. */
    final long unseen() throws SQLException {
        closeResultSet();
        ownCount = 0;
        return 0;
    }

    /** Recognises a text. For null, the engine's own error is thrown. */
    private SqlText text(@Nullable String sql) throws SQLException {
        if (sql == null) {
            try {
                delegate().execute(null);
            } catch (NullPointerException e) {
                throw Errors.noStatement(e);
            }
            throw Errors.invalid("There is no statement to be executed: the text is null.");
        }
        return session.recognise(sql);
    }

    private ResultSet query(String sql) throws SQLException {
        run(text(sql), Execution.QUERY);
        return takeAnswer();
    }

    final ResultSet takeAnswer() throws SQLException {
        ResultSet result = answer;
        answer = null;
        if (result == null) {
            throw connection.noQuery();
        }
        return wrapped(result);
    }

    private LogicalResultSet wrapped(ResultSet result) {
        LogicalResultSet known = resultSet;
        if (known == null || known.delegate() != result) {
            known = new LogicalResultSet(session, this, result);
            resultSet = known;
        }
        return known;
    }

    /** Returns the error for rows that cannot be read on. If their node is gone it says so, instead of the engine's error. */
    final SQLException failedRows(SQLException error) {
        Statement known = current;
        try {
            return known == null || connection.isClosed() || !physicals.isDead(known)
                    ? error
                    : Errors.nodeFailed(error);
        } catch (SQLException e) {
            return error;
        }
    }

    final void closeResultSet() throws SQLException {
        LogicalResultSet open = resultSet;
        resultSet = null;
        if (open != null) {
            open.close();
        }
    }

    @Override
    public ResultSet executeQuery(String sql) throws SQLException {
        return query(sql);
    }

    @Override
    public int executeUpdate(String sql) throws SQLException {
        return (int) run(text(sql), Execution.UPDATE);
    }

    @Override
    public int executeUpdate(String sql, int keys) throws SQLException {
        return (int) run(text(sql), (self, physical, text) -> physical.executeUpdate(text, keys));
    }

    @Override
    public int executeUpdate(String sql, int[] columns) throws SQLException {
        return (int) run(text(sql), (self, physical, text) -> physical.executeUpdate(text, columns));
    }

    @Override
    public int executeUpdate(String sql, String[] columns) throws SQLException {
        return (int) run(text(sql), (self, physical, text) -> physical.executeUpdate(text, columns));
    }

    @Override
    public long executeLargeUpdate(String sql) throws SQLException {
        return run(text(sql), Execution.LARGE_UPDATE);
    }

    @Override
    public long executeLargeUpdate(String sql, int keys) throws SQLException {
        return run(text(sql), (self, physical, text) -> physical.executeLargeUpdate(text, keys));
    }

    @Override
    public long executeLargeUpdate(String sql, int[] columns) throws SQLException {
        return run(text(sql), (self, physical, text) -> physical.executeLargeUpdate(text, columns));
    }

    @Override
    public long executeLargeUpdate(String sql, String[] columns) throws SQLException {
        return run(text(sql), (self, physical, text) -> physical.executeLargeUpdate(text, columns));
    }

    @Override
    public boolean execute(String sql) throws SQLException {
        return run(text(sql), Execution.ANY) != 0;
    }

    @Override
    public boolean execute(String sql, int keys) throws SQLException {
        return run(text(sql), (self, physical, text) -> physical.execute(text, keys) ? 1 : 0) != 0;
    }

    @Override
    public boolean execute(String sql, int[] columns) throws SQLException {
        return run(text(sql), (self, physical, text) -> physical.execute(text, columns) ? 1 : 0) != 0;
    }

    @Override
    public boolean execute(String sql, String[] columns) throws SQLException {
        return run(text(sql), (self, physical, text) -> physical.execute(text, columns) ? 1 : 0) != 0;
    }

    final Batch batch() {
        Batch known = batch;
        if (known == null) {
            known = new Batch(this);
            batch = known;
        }
        return known;
    }

    @Override
    public void addBatch(String sql) throws SQLException {
        checkOpen();
        batch().add(sql);
    }

    /** Notes that the present physical statement holds elements of a batch. */
    final void batched() {
        batch().added(current);
    }

    @Override
    public void clearBatch() throws SQLException {
        if (batch != null) {
            batch.clear();
        }
        delegate().clearBatch();
    }

    @Override
    public int[] executeBatch() throws SQLException {
        return batch().execute();
    }

    @Override
    public long[] executeLargeBatch() throws SQLException {
        return batch().executeLarge();
    }

    /** Returns the text as which a batch counts. */
    SqlText batchText() {
        return session.recognise("INSERT");
    }

    @Override
    public @Nullable ResultSet getResultSet() throws SQLException {
        if (ownCount != NONE) {
            return null;
        }
        ResultSet result = answering().getResultSet();
        return result == null ? null : wrapped(result);
    }

    @Override
    public int getUpdateCount() throws SQLException {
        return ownCount == NONE ? answering().getUpdateCount() : moreThan(ownCount);
    }

    @Override
    public long getLargeUpdateCount() throws SQLException {
        return ownCount == NONE ? answering().getLargeUpdateCount() : moreThan(ownCount);
    }

    private static final int EXHAUSTED = -2;

    private int moreThan(int own) throws SQLException {
        checkOpen();
        return own == EXHAUSTED ? NONE : own;
    }

    @Override
    public boolean getMoreResults() throws SQLException {
        if (ownCount != NONE) {
            ownCount = EXHAUSTED;
            return false;
        }
        return answering().getMoreResults();
    }

    @Override
    public boolean getMoreResults(int current) throws SQLException {
        if (ownCount != NONE) {
            ownCount = EXHAUSTED;
            return false;
        }
        return answering().getMoreResults(current);
    }

    @Override
    public ResultSet getGeneratedKeys() throws SQLException {
        return new LogicalResultSet(session, this, answering().getGeneratedKeys());
    }

    private void set(String name, StatementSettings.Setting setting) throws SQLException {
        physicals.set(delegate(), name, setting);
    }

    @Override
    public void setMaxRows(int max) throws SQLException {
        set("maxRows", physical -> physical.setMaxRows(max));
    }

    @Override
    public void setLargeMaxRows(long max) throws SQLException {
        set("maxRows", physical -> physical.setLargeMaxRows(max));
    }

    @Override
    public void setMaxFieldSize(int max) throws SQLException {
        set("maxFieldSize", physical -> physical.setMaxFieldSize(max));
    }

    @Override
    public void setQueryTimeout(int seconds) throws SQLException {
        set("queryTimeout", physical -> physical.setQueryTimeout(seconds));
        timeoutSeconds = seconds;
    }

    @Override
    public void setFetchSize(int rows) throws SQLException {
        set("fetchSize", physical -> physical.setFetchSize(rows));
    }

    @Override
    public void setFetchDirection(int direction) throws SQLException {
        set("fetchDirection", physical -> physical.setFetchDirection(direction));
    }

    @Override
    public void setEscapeProcessing(boolean enable) throws SQLException {
        set("escapeProcessing", physical -> physical.setEscapeProcessing(enable));
    }

    @Override
    public void setCursorName(String name) throws SQLException {
        set("cursorName", physical -> physical.setCursorName(name));
    }

    @Override
    public void setPoolable(boolean poolable) throws SQLException {
        set("poolable", physical -> physical.setPoolable(poolable));
    }

    @Override
    public void closeOnCompletion() throws SQLException {
        set("closeOnCompletion", Statement::closeOnCompletion);
        closesOnCompletion = true;
    }

    @Override
    public void cancel() throws SQLException {
        checkOpen();
        cancellation = new Object();
        Statement running = current;
        if (running != null) {
            session.cancel(running);
        }
    }

    @Override
    public @Nullable Connection getConnection() throws SQLException {
        Statement known = current;
        if (closed && known != null) {
            // A closed statement of H2 returns null here, one of HSQLDB throws an error.
            return known.getConnection() == null ? null : connection;
        }
        checkOpen();
        return connection;
    }

    @Override
    public void close() throws SQLException {
        if (closed) {
            return;
        }
        closed = true;
        resultSet = null;
        physicals.close();
        connection.ended(this);
    }

    @Override
    public boolean isClosed() throws SQLException {
        Statement known = current;
        return closed || connection.isClosed() || known != null && known.isClosed();
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

    @Override
    public String toString() {
        Statement known = current;
        return known == null ? "Multimed statement of " + connection : known.toString();
    }
}
