package io.multimed.jdbc;

import io.multimed.engine.embedded.StatementRecorder;
import io.multimed.jdbc.sql.Dialect;
import io.multimed.jdbc.sql.SqlText;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Where the statements of one connection run, and what their transactions are. A statement is entered, run on the engine's
 * connection that {@link #enter} returned, and left or failed; one at a time.
 */
abstract class Session {
    /** Work on the engine's connection to the Master. */
    @FunctionalInterface
    interface Work {
        long run() throws SQLException;
    }

    /** A setter of connections with its value. */
    @FunctionalInterface
    interface Setting {
        void on(Connection engine) throws SQLException;
    }

    /** What is to happen after a statement has failed. */
    sealed interface AfterFailure permits Again, Thrown {}

    /** It left no trace: enter it again, on the Master only if so. */
    record Again(boolean masterOnly) implements AfterFailure {}

    record Thrown(SQLException error) implements AfterFailure {}

    /** How names of {@link #set} begin that are about client info. */
    static final String CLIENT_INFO = "clientInfo";

    /** The name in {@link #set} of what results on every node depend on. */
    static final String HOLDABILITY = "holdability";

    /**
     * Held while a statement runs and while a transaction ends: threads that share the connection take turns, as they do with
     * an engine alone. Not by whoever cancels, closes or aborts.
     */
    final ReentrantLock turn = new ReentrantLock();

    /** Work with what it returns. */
    @FunctionalInterface
    interface Call<T> {
        T run() throws SQLException;
    }

    final <T> T inTurn(Call<T> call) throws SQLException {
        turn.lock();
        try {
            return call.run();
        } finally {
            turn.unlock();
        }
    }

    /** Work that is not counted. */
    @FunctionalInterface
    interface Step {
        void run() throws SQLException;
    }

    final void inTurn(Step step) throws SQLException {
        turn.lock();
        try {
            step.run();
        } finally {
            turn.unlock();
        }
    }

    abstract Dialect dialect();

    /** What this text is. */
    abstract SqlText recognise(String sql);

    /** The URL the application connected with, without secrets. */
    abstract String url();

    /** The engine's own connection to the Master, for whatever is no statement. */
    abstract Connection master() throws SQLException;

    /** Where to prepare a statement first: where it would run now. */
    abstract Connection preparation(SqlText text, boolean masterOnly) throws SQLException;

    /** Whether a prepared statement of this text may go on on another connection, so that its parameters are kept. */
    abstract boolean mayMove(SqlText text);

    /** Begins a statement: the connection on which to run it. */
    abstract Connection enter(SqlText text, boolean masterOnly) throws SQLException;

    /**
     * As {@link #enter(SqlText, boolean)}, for one that may wait no longer than that.
     *
     * @param mostNanos {@link io.multimed.engine.embedded.EmbeddedSession#NO_LIMIT} for as long as need be
     */
    Connection enter(SqlText text, boolean masterOnly, long mostNanos) throws SQLException {
        return enter(text, masterOnly);
    }

    /** It succeeded: ends its transaction if it was one of its own. */
    abstract void leave() throws SQLException;

    /**
     * As {@link #leave}, for a statement of which nothing has reached the application yet.
     *
     * @return false if its node has failed with its end: it must be entered again
     */
    boolean left() throws SQLException {
        leave();
        return true;
    }

    abstract AfterFailure failed(SQLException error) throws SQLException;

    /** It has failed as nobody has announced: what it has begun must end all the same. */
    final void failed(RuntimeException error) {
        try {
            failed(new SQLException(error));
        } catch (SQLException e) {
            error.addSuppressed(e);
        }
    }

    /** Cancels what an engine executes. Any thread. */
    void cancel(Statement running) throws SQLException {
        running.cancel();
    }

    /** Whether every change must be told by {@link #executed}, since it is executed again elsewhere. */
    boolean repeats() {
        return false;
    }

    /**
     * A change that was entered has been executed.
     *
     * @param parameters with which; null if it was not prepared
     */
    void executed(SqlText text, @Nullable Parameters parameters, StatementRecorder.Count count) throws SQLException {}

    /** Whether rows must have been read before the statement is left, which ends what they are read in. */
    boolean readsAhead() {
        return false;
    }

    /** How a statement that is asked for so is made, so that its rows can be read before it is left. */
    StatementForm form(StatementForm asked) {
        return asked;
    }

    /** Whether elements of a batch that are transactions of their own to the application are one to the engine. */
    boolean joinsBatches() throws SQLException {
        return false;
    }

    /** Runs a definition, or whatever else may have changed the catalog. */
    abstract long define(SqlText text, Work onMaster) throws SQLException;

    /** A setting of the session has been made on the Master. */
    abstract void followed(SqlText text);

    /** The session holds something on the Master that no Satellite has: from now on it reads there. */
    abstract void pin();

    abstract boolean autoCommit() throws SQLException;

    abstract void autoCommit(boolean on) throws SQLException;

    /** @param text whose name says which lock to take at once, if any */
    abstract void begin(SqlText text) throws SQLException;

    abstract void commit() throws SQLException;

    abstract void rollback() throws SQLException;

    /** The first phase of committing the open transaction, by that name. */
    void prepare(String name) throws SQLException {
        throw Errors.notSupported("The engine knows no global transactions.");
    }

    /** Names of transactions that are prepared, of whatever session. */
    List<String> prepared() throws SQLException {
        return List.of();
    }

    /** The second phase of one that this session has not prepared. */
    void complete(String name, boolean commit) throws SQLException {
        throw Errors.notSupported("The engine knows no global transactions.");
    }

    abstract Savepoint savepoint(@Nullable String name) throws SQLException;

    abstract void rollback(Savepoint savepoint) throws SQLException;

    abstract void release(Savepoint savepoint) throws SQLException;

    abstract boolean readOnly() throws SQLException;

    abstract void readOnly(boolean on) throws SQLException;

    /** What transactions have, whatever was asked for. */
    int isolation() throws SQLException {
        return master().getTransactionIsolation();
    }

    abstract void isolation(int level) throws SQLException;

    abstract void schema(String schema) throws SQLException;

    /** {@code SET multimed.…} and {@code SHOW multimed.…}: a query for the Master that returns the answer; null for a SET. */
    abstract @Nullable String multimed(SqlText text) throws SQLException;

    /** Statements from now on are the driver's own, for its answer to {@link #multimed}, or no longer are. */
    void answers(boolean itself) {}

    /** Sets something on the engine's connection of which nobody but the application knows, and on one that takes its place. */
    void set(String name, Setting setting) throws SQLException {
        setting.on(master());
    }

    /** What the engine has warned of on this connection, wherever it did. */
    @Nullable
    SQLWarning warnings() throws SQLException {
        return master().getWarnings();
    }

    void clearWarnings() throws SQLException {
        master().clearWarnings();
    }

    /** Whether these rows are of a node where they must not be read again without finding out whether it is fresh. */
    boolean isSnapshot(ResultSet rows) throws SQLException {
        return false;
    }

    /** Whether the engine answers within that many seconds. */
    boolean valid(int timeout) throws SQLException {
        return master().isValid(timeout);
    }

    abstract boolean closed() throws SQLException;

    abstract void close() throws SQLException;

    abstract void abort(java.util.concurrent.Executor executor) throws SQLException;
}
