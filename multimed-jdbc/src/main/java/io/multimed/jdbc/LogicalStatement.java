package io.multimed.jdbc;

import io.multimed.jdbc.sql.Dialect;
import io.multimed.jdbc.sql.SqlKind;
import io.multimed.jdbc.sql.SqlText;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A statement of the application: on each node that it has run on, a physical statement of the engine, made when it is
 * first needed there. What is not overridden here goes to the one that ran last.
 */
class LogicalStatement extends DelegatingStatement {
    private static final int NONE = -1;

    final Session session;
    final StatementForm form;
    private final LogicalConnection connection;

    private Connection[] nodes = new Connection[2];
    private Statement[] physicals = new Statement[2];
    private int count;
    /** Cancelled from other threads. */
    private volatile @Nullable Statement current;

    private @Nullable StatementSettings settings;
    private @Nullable ResultSet answer;
    private @Nullable LogicalResultSet resultSet;
    /** The count of a statement that no engine has seen, {@link #NONE} else. */
    private int ownCount = NONE;

    private @Nullable List<SqlText> batch;
    /** The elements of a batch are gathered by the engine, on one physical statement. */
    private @Nullable Statement batchedOn;

    private boolean closed;

    LogicalStatement(Session session, LogicalConnection connection, StatementForm form) {
        this.session = session;
        this.connection = connection;
        this.form = form;
    }

    @Override
    Statement delegate() throws SQLException {
        Statement known = current;
        checkOpen();
        return known == null ? on(session.master()) : known;
    }

    final void checkOpen() throws SQLException {
        if (closed) {
            throw connection.closedObject("statement");
        }
        connection.checkOpen();
    }

    /** The physical statement on this connection, made ready for what comes next. */
    final Statement on(Connection node) throws SQLException {
        Statement known = current;
        for (int i = 0; i < count; i++) {
            if (nodes[i] == node) {
                Statement physical = physicals[i];
                if (physical != known) {
                    switchTo(physical, known);
                }
                return physical;
            }
        }
        Statement made = form.create(node);
        if (settings != null) {
            settings.apply(made);
        }
        add(node, made);
        switchTo(made, known);
        return made;
    }

    private void add(Connection node, Statement made) throws SQLException {
        if (count == nodes.length) {
            forgetDead();
        }
        if (count == nodes.length) {
            nodes = Arrays.copyOf(nodes, count * 2);
            physicals = Arrays.copyOf(physicals, count * 2);
        }
        nodes[count] = node;
        physicals[count++] = made;
    }

    /** Nodes are dropped and made anew; what was prepared on the old ones is gone. */
    private void forgetDead() throws SQLException {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (!nodes[i].isClosed()) {
                nodes[kept] = nodes[i];
                physicals[kept++] = physicals[i];
            }
        }
        count = kept;
    }

    private void switchTo(Statement physical, @Nullable Statement former) throws SQLException {
        if (former != null) {
            closeResultSet();
        }
        moved(physical);
        current = physical;
    }

    /** The statement goes on on another node. */
    void moved(Statement physical) throws SQLException {}

    /** Whether it must run on the Master whatever it is. */
    boolean masterOnly() {
        return form.masterOnly();
    }

    final long answer(ResultSet result) {
        answer = result;
        return 1;
    }

    /** Executes a text; the result is what {@code execution} returned. */
    final long run(SqlText text, Execution execution) throws SQLException {
        checkOpen();
        ownCount = NONE;
        if (text.kind().isSpecial()) {
            return special(text, execution);
        }
        return ordinary(text, execution);
    }

    private long ordinary(SqlText text, Execution execution) throws SQLException {
        boolean masterOnly = masterOnly();
        while (true) {
            Connection node = session.enter(text, masterOnly);
            long result;
            try {
                result = execution.on(this, on(node), text.sql());
            } catch (SQLException e) {
                Session.AfterFailure after = session.failed(e);
                if (after instanceof Session.Again again) {
                    masterOnly |= again.masterOnly();
                    continue;
                }
                throw ((Session.Thrown) after).error();
            }
            if (text.kind() == SqlKind.CHANGE && session.repeats()) {
                // SQLite's driver does not know it afterwards; there the engine is asked instead.
                session.executed(
                        text,
                        bound(),
                        session.dialect() == Dialect.SQLITE ? 0 : delegate().getUpdateCount());
            } else if (result != 0 && session.readsAhead()) {
                ReadAhead.read(answer == null ? delegate().getResultSet() : answer);
            }
            session.leave();
            return result;
        }
    }

    /** The parameters with which it was executed, as they were; null if it was not prepared. */
    @Nullable
    Parameters bound() {
        return null;
    }

    private long special(SqlText text, Execution execution) throws SQLException {
        switch (text.kind()) {
            case DDL, OPAQUE, SHUTDOWN:
                return session.define(text, () -> execution.on(this, on(session.master()), text.sql()));
            case SETTING:
                long set = ordinary(text, execution);
                session.followed(text);
                return set;
            case PRIVATE:
                session.pin();
                return ordinary(text, execution);
            case MULTIMED:
                String query = session.multimed(text);
                return query == null ? own() : ordinary(session.recognise(query), execution);
            case SEVERAL:
                return several(text, execution);
            default:
                if (execution == Execution.QUERY || execution == LogicalPreparedStatement.QUERY) {
                    throw connection.noQuery();
                }
                control(session, text);
                return own();
        }
    }

    /** Transactions in the words of SQL. */
    static void control(Session session, SqlText text) throws SQLException {
        switch (text.kind()) {
            case COMMIT -> session.commit();
            case ROLLBACK -> session.rollback();
            case BEGIN -> session.begin();
            case AUTOCOMMIT_ON -> session.autoCommit(true);
            case AUTOCOMMIT_OFF -> session.autoCommit(false);
            default -> throw new IllegalStateException("not transaction control: " + text.kind());
        }
    }

    /** A statement that no engine has seen: no rows, none changed. */
    private long own() throws SQLException {
        closeResultSet();
        ownCount = 0;
        return 0;
    }

    /** As the engines do: the first one's result counts, then the others are executed. */
    private long several(SqlText text, Execution execution) throws SQLException {
        List<SqlText> parts = text.parts();
        if (session.dialect() == Dialect.HSQLDB) {
            // It compiles all of them before it executes any.
            for (SqlText part : parts) {
                session.master().prepareStatement(part.sql()).close();
            }
        }
        long result = run(parts.get(0), execution);
        for (SqlText part : parts.subList(1, parts.size())) {
            try (LogicalStatement other =
                    new LogicalStatement(session, connection, StatementForm.of(StatementForm.Kind.PLAIN, ""))) {
                other.run(part, Execution.ANY);
            }
        }
        return result;
    }

    /** What the text is; the engine itself objects to null. */
    private SqlText text(@Nullable String sql) throws SQLException {
        if (sql == null) {
            delegate().execute(null);
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

    @Override
    public void addBatch(String sql) throws SQLException {
        checkOpen();
        List<SqlText> texts = batch;
        if (texts == null) {
            texts = new ArrayList<>();
            batch = texts;
        }
        if (!session.repeats()) {
            on(session.master()).addBatch(sql);
            batched();
        }
        // The engine objects to null now or when it executes the batch.
        texts.add(session.recognise(sql == null ? "" : sql));
    }

    /** The physical statement at hand holds elements of a batch. */
    final void batched() {
        batchedOn = current;
    }

    @Override
    public void clearBatch() throws SQLException {
        batch = null;
        batchedOn = null;
        delegate().clearBatch();
    }

    @Override
    public int[] executeBatch() throws SQLException {
        List<SqlText> texts = batch;
        batch = null;
        if (session.repeats()) {
            return oneByOne(texts == null ? List.of() : texts);
        }
        if (texts == null || texts.stream().noneMatch(text -> text.kind().isSpecial())) {
            int[][] counts = new int[1][];
            runBatch((self, physical, sql) -> {
                counts[0] = physical.executeBatch();
                return 0;
            });
            return counts[0];
        }
        batchedOn = null;
        delegate().clearBatch();
        return oneByOne(texts);
    }

    @Override
    public long[] executeLargeBatch() throws SQLException {
        if (session.repeats()) {
            return Arrays.stream(executeBatch()).asLongStream().toArray();
        }
        batch = null;
        long[][] counts = new long[1][];
        runBatch((self, physical, sql) -> {
            counts[0] = physical.executeLargeBatch();
            return 0;
        });
        return counts[0];
    }

    /** A batch is one piece of work for the engine, on the Master. */
    private void runBatch(Execution execution) throws SQLException {
        checkOpen();
        ownCount = NONE;
        Statement gathered = batchedOn;
        batchedOn = null;
        Statement physical = on(session.enter(batchText(), true));
        try {
            if (gathered != null && gathered != physical) {
                throw new SQLTransientConnectionException(
                        "The connection on which the batch was gathered was lost: add its elements again.", "08006");
            }
            execution.on(this, delegate(), "");
        } catch (SQLException e) {
            throw ((Session.Thrown) session.failed(e)).error();
        }
        session.leave();
    }

    /** What a batch counts as. */
    SqlText batchText() {
        return session.recognise("INSERT");
    }

    /** Definitions and transaction control among the others: as the engine would, but each by itself. */
    private int[] oneByOne(List<SqlText> texts) throws SQLException {
        int[] counts = new int[texts.size()];
        SQLException first = null;
        for (int i = 0; i < counts.length; i++) {
            try {
                counts[i] = (int) run(texts.get(i), Execution.UPDATE);
            } catch (SQLException e) {
                if (!connection.goesOnAfterFailureInBatch()) {
                    throw new BatchUpdateException(
                            e.getMessage(), e.getSQLState(), e.getErrorCode(), Arrays.copyOf(counts, i), e);
                }
                counts[i] = Statement.EXECUTE_FAILED;
                if (first == null) {
                    first = e;
                } else {
                    first.setNextException(e);
                }
            }
        }
        if (first != null) {
            throw new BatchUpdateException(
                    first.getMessage(), first.getSQLState(), first.getErrorCode(), counts, first);
        }
        return counts;
    }

    @Override
    public @Nullable ResultSet getResultSet() throws SQLException {
        if (ownCount != NONE) {
            return null;
        }
        ResultSet result = delegate().getResultSet();
        return result == null ? null : wrapped(result);
    }

    @Override
    public int getUpdateCount() throws SQLException {
        return ownCount == NONE ? delegate().getUpdateCount() : moreThan(ownCount);
    }

    @Override
    public long getLargeUpdateCount() throws SQLException {
        return ownCount == NONE ? delegate().getLargeUpdateCount() : moreThan(ownCount);
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
        return delegate().getMoreResults();
    }

    @Override
    public boolean getMoreResults(int current) throws SQLException {
        if (ownCount != NONE) {
            ownCount = EXHAUSTED;
            return false;
        }
        return delegate().getMoreResults(current);
    }

    @Override
    public ResultSet getGeneratedKeys() throws SQLException {
        return new LogicalResultSet(session, this, delegate().getGeneratedKeys());
    }

    private void set(String name, StatementSettings.Setting setting) throws SQLException {
        setting.on(delegate());
        StatementSettings known = settings;
        if (known == null) {
            known = new StatementSettings();
            settings = known;
        }
        known.remember(name, setting);
        for (int i = 0; i < count; i++) {
            if (physicals[i] != current) {
                setting.on(physicals[i]);
            }
        }
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
    }

    @Override
    public void cancel() throws SQLException {
        checkOpen();
        Statement running = current;
        if (running != null) {
            running.cancel();
        }
    }

    @Override
    public @Nullable Connection getConnection() throws SQLException {
        Statement known = current;
        if (closed && known != null) {
            // H2 has forgotten it, HSQLDB objects.
            return known.getConnection();
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
        SQLException failure = null;
        for (int i = 0; i < count; i++) {
            try {
                physicals[i].close();
            } catch (SQLException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public boolean isClosed() throws SQLException {
        Statement known = current;
        return closed || connection.isClosed() || known != null && known.isClosed();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return type.isInstance(this) ? type.cast(this) : delegate().unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return type.isInstance(this) || delegate().isWrapperFor(type);
    }

    @Override
    public String toString() {
        Statement known = current;
        return known == null ? super.toString() : known.toString();
    }
}
