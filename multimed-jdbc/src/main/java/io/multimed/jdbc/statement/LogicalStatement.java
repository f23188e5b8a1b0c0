package io.multimed.jdbc.statement;

import io.multimed.engine.embedded.StatementRecorder.Bindings;
import io.multimed.jdbc.errors.Errors;
import io.multimed.jdbc.session.DriverSession;
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
class LogicalStatement extends ConfiguredStatement {
    final DriverSession session;
    final StatementForm form;
    final StatementOwner owner;

    /** The physical statement that ran last; other threads cancel it. */
    private volatile @Nullable Statement current;

    private final StatementResults results;
    private final StatementExecution execution;
    private @Nullable Batch batch;
    private boolean closesOnCompletion;
    private boolean closed;

    LogicalStatement(DriverSession session, StatementOwner owner, StatementForm form) {
        super(new PhysicalStatements(form));
        this.session = session;
        this.owner = owner;
        this.form = form;
        results = new StatementResults(session, this);
        execution = new StatementExecution(session, this, results);
        owner.made(this);
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
    final Statement answering() throws SQLException {
        Statement known = current;
        checkOpen();
        return known == null ? living() : known;
    }

    final void checkOpen() throws SQLException {
        if (closed || (closesOnCompletion && isCompleted())) {
            throw session.errors().closed("statement");
        }
        owner.checkOpen();
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
            results.close();
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
        return results.answer(result);
    }

    /** Executes a text. Returns the result of {@code way}. */
    final long run(SqlText text, Execution way) throws SQLException {
        return execution.run(text, way);
    }

    /** Executes a text that affects only the node on which it runs. */
    final long ordinary(SqlText text, Execution way) throws SQLException {
        return execution.ordinary(text, way);
    }

    /** Drops earlier results. */
    final void begin() throws SQLException {
        checkOpen();
        results.drop();
    }

    /** Returns a copy of the parameters with which it was executed; null if it was not prepared. */
    @Nullable
    Bindings bound() {
        return null;
    }

    /** Sets the result of a statement that no engine has executed: no rows, none changed. */
    final long unseen() throws SQLException {
        return results.unseen();
    }

    private long run(@Nullable String sql, Execution way) throws SQLException {
        return execution.run(execution.recognise(sql), way);
    }

    private ResultSet query(String sql) throws SQLException {
        run(sql, Execution.QUERY);
        return takeAnswer();
    }

    final ResultSet takeAnswer() throws SQLException {
        return results.takeAnswer();
    }

    /** Returns the error for rows that cannot be read on. If their node is gone it says so, instead of the engine's error. */
    final SQLException failedRows(SQLException error) {
        Statement known = current;
        try {
            return known == null || owner.isClosed() || !physicals.isDead(known) ? error : Errors.nodeFailed(error);
        } catch (SQLException e) {
            return error;
        }
    }

    @Override
    public ResultSet executeQuery(String sql) throws SQLException {
        return query(sql);
    }

    @Override
    public int executeUpdate(String sql) throws SQLException {
        return (int) run(sql, Execution.UPDATE);
    }

    @Override
    public int executeUpdate(String sql, int keys) throws SQLException {
        return (int) run(sql, (self, physical, text) -> physical.executeUpdate(text, keys));
    }

    @Override
    public int executeUpdate(String sql, int[] columns) throws SQLException {
        return (int) run(sql, (self, physical, text) -> physical.executeUpdate(text, columns));
    }

    @Override
    public int executeUpdate(String sql, String[] columns) throws SQLException {
        return (int) run(sql, (self, physical, text) -> physical.executeUpdate(text, columns));
    }

    @Override
    public long executeLargeUpdate(String sql) throws SQLException {
        return run(sql, Execution.LARGE_UPDATE);
    }

    @Override
    public long executeLargeUpdate(String sql, int keys) throws SQLException {
        return run(sql, (self, physical, text) -> physical.executeLargeUpdate(text, keys));
    }

    @Override
    public long executeLargeUpdate(String sql, int[] columns) throws SQLException {
        return run(sql, (self, physical, text) -> physical.executeLargeUpdate(text, columns));
    }

    @Override
    public long executeLargeUpdate(String sql, String[] columns) throws SQLException {
        return run(sql, (self, physical, text) -> physical.executeLargeUpdate(text, columns));
    }

    @Override
    public boolean execute(String sql) throws SQLException {
        return run(sql, Execution.ANY) != 0;
    }

    @Override
    public boolean execute(String sql, int keys) throws SQLException {
        return run(sql, (self, physical, text) -> physical.execute(text, keys) ? 1 : 0) != 0;
    }

    @Override
    public boolean execute(String sql, int[] columns) throws SQLException {
        return run(sql, (self, physical, text) -> physical.execute(text, columns) ? 1 : 0) != 0;
    }

    @Override
    public boolean execute(String sql, String[] columns) throws SQLException {
        return run(sql, (self, physical, text) -> physical.execute(text, columns) ? 1 : 0) != 0;
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
        if (results.areOwn()) {
            return null;
        }
        ResultSet result = answering().getResultSet();
        return result == null ? null : results.wrapped(result);
    }

    @Override
    public int getUpdateCount() throws SQLException {
        return results.areOwn() ? ownCount() : answering().getUpdateCount();
    }

    @Override
    public long getLargeUpdateCount() throws SQLException {
        return results.areOwn() ? ownCount() : answering().getLargeUpdateCount();
    }

    private int ownCount() throws SQLException {
        checkOpen();
        return results.ownCount();
    }

    @Override
    public boolean getMoreResults() throws SQLException {
        if (results.areOwn()) {
            results.exhaust();
            return false;
        }
        return answering().getMoreResults();
    }

    @Override
    public boolean getMoreResults(int current) throws SQLException {
        if (results.areOwn()) {
            results.exhaust();
            return false;
        }
        return answering().getMoreResults(current);
    }

    @Override
    public ResultSet getGeneratedKeys() throws SQLException {
        return new LogicalResultSet(session, this, answering().getGeneratedKeys());
    }

    @Override
    public void setQueryTimeout(int seconds) throws SQLException {
        super.setQueryTimeout(seconds);
        execution.timeout(seconds);
    }

    @Override
    public void closeOnCompletion() throws SQLException {
        super.closeOnCompletion();
        closesOnCompletion = true;
    }

    @Override
    public void cancel() throws SQLException {
        checkOpen();
        execution.cancelled();
        Statement running = current;
        if (running != null) {
            session.propagation().changes().cancel(running);
        }
    }

    @Override
    public @Nullable Connection getConnection() throws SQLException {
        Statement known = current;
        if (closed && known != null) {
            // A closed statement of H2 returns null here, one of HSQLDB throws an error.
            return known.getConnection() == null ? null : owner;
        }
        checkOpen();
        return owner;
    }

    @Override
    public void close() throws SQLException {
        if (closed) {
            return;
        }
        closed = true;
        results.forget();
        physicals.close();
        owner.ended(this);
    }

    @Override
    public boolean isClosed() throws SQLException {
        Statement known = current;
        return closed || owner.isClosed() || (known != null && known.isClosed());
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
        Statement known = current;
        return known == null ? "Multimed statement of " + owner : known.toString();
    }
}
