package io.multimed.jdbc.session;

import io.multimed.jdbc.backend.Propagation;
import io.multimed.jdbc.errors.EngineErrors;
import io.multimed.jdbc.errors.Errors;
import io.multimed.jdbc.sql.Dialect;
import io.multimed.jdbc.sql.SqlText;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Savepoint;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Places the statements of one connection on nodes, and ends their transactions. A statement is entered, run on the engine's
 * connection that {@link #enter} returned, and left or failed; one at a time.
 */
public abstract class DriverSession {
    /** Execution of a statement. */
    @FunctionalInterface
    public interface Work {
        long run() throws SQLException;
    }

    /** A setter of a connection with its value. */
    @FunctionalInterface
    public interface Setting {
        void on(Connection engine) throws SQLException;
    }

    /** The step to take after a statement has failed. */
    public sealed interface AfterFailure permits Again, Thrown {}

    /** The statement left no trace and must be entered again, on the Master only if {@code masterOnly} is set. */
    public record Again(boolean masterOnly) implements AfterFailure {}

    public record Thrown(SQLException error) implements AfterFailure {}

    /** Prefix of the names in {@link #set} that concern client info. */
    public static final String CLIENT_INFO = "clientInfo";

    /** The name in {@link #set} of the setting on which results on every node depend. */
    public static final String HOLDABILITY = "holdability";

    /**
     * Held while a statement runs and while a transaction ends, so that threads that share the connection take turns, as with an
     * engine without replicas. Not held by threads that cancel, close or abort.
     */
    private final ReentrantLock turn = new ReentrantLock();

    /** Waits for the turn of the calling thread. The caller must end it. */
    public final void takeTurn() {
        turn.lock();
    }

    public final void endTurn() {
        turn.unlock();
    }

    /** Work with a result. */
    @FunctionalInterface
    public interface Call<T> {
        T run() throws SQLException;
    }

    public final <T> T inTurn(Call<T> call) throws SQLException {
        turn.lock();
        try {
            return call.run();
        } finally {
            turn.unlock();
        }
    }

    /** Work without a result. */
    @FunctionalInterface
    public interface Step {
        void run() throws SQLException;
    }

    public final void inTurn(Step step) throws SQLException {
        turn.lock();
        try {
            step.run();
        } finally {
            turn.unlock();
        }
    }

    public abstract Dialect dialect();

    /** Returns the engine's own errors, for calls that the driver refuses before the engine sees them. */
    public final EngineErrors errors() {
        return new EngineErrors(dialect());
    }

    /** Returns the recognised form of a text. */
    public abstract SqlText recognise(String sql);

    /** Returns the URL with which the application connected, without secrets. */
    public abstract String url();

    /** Returns the engine's own connection to the Master, for use without a statement. */
    public abstract Connection master() throws SQLException;

    /** Returns the connection on which a statement is prepared first: the one on which it would run now. */
    public abstract Connection preparation(SqlText text, boolean masterOnly) throws SQLException;

    /** Whether a prepared statement of this text may move to another connection, so that its parameters are kept. */
    public abstract boolean mayMove(SqlText text);

    /** Begins a statement. Returns the connection on which to run it. */
    public abstract Connection enter(SqlText text, boolean masterOnly) throws SQLException;

    /**
     * Begins a statement as {@link #enter(SqlText, boolean)} does, with a limit for its wait.
     *
     * @param mostNanos longest time that it may wait; {@link io.multimed.engine.embedded.EmbeddedSession#NO_LIMIT} for no
     *     limit
     */
    public Connection enter(SqlText text, boolean masterOnly, long mostNanos) throws SQLException {
        return enter(text, masterOnly);
    }

    /** Ends a statement that has succeeded, and its transaction if it was one of its own. */
    public abstract void leave() throws SQLException;

    /**
     * Ends a statement as {@link #leave} does, before any of its results has reached the application.
     *
     * @return false if its node failed at the end, so that it must be entered again
     */
    public boolean left() throws SQLException {
        leave();
        return true;
    }

    public abstract AfterFailure failed(SQLException error) throws SQLException;

    /** Ends a statement after an unexpected failure. */
    public final void failed(RuntimeException error) {
        try {
            failed(new SQLException(error));
        } catch (SQLException e) {
            error.addSuppressed(e);
        }
    }

    /** Returns how the session's changes reach the Satellites. */
    public Propagation propagation() {
        return Propagation.UNRECORDED;
    }

    /**
     * Whether the elements of a batch run in one transaction of the engine although each is a transaction of its own for the
     * application.
     */
    public boolean joinsBatches() throws SQLException {
        return false;
    }

    /** Runs a definition, or another statement that may have changed the catalog. */
    public abstract long define(SqlText text, Work onMaster) throws SQLException;

    /** Runs a statement that may cancel what other sessions are executing, wherever they execute it. */
    public long endOthers(Work statement) throws SQLException {
        return statement.run();
    }

    /** Notes that a setting of the session has been made on the Master. */
    public abstract void followed(SqlText text);

    /** Makes the session read on the Master from now on, because it holds something there that no Satellite has. */
    public abstract void pin();

    public abstract boolean autoCommit() throws SQLException;

    public abstract void autoCommit(boolean on) throws SQLException;

    /**
     * Begins a transaction.
     *
     * @param text its name tells which lock to take at once, if any
     */
    public abstract void begin(SqlText text) throws SQLException;

    public abstract void commit() throws SQLException;

    public abstract void rollback() throws SQLException;

    /** Prepares the open transaction under that name: the first phase of a two-phase commit. */
    public void prepare(String name) throws SQLException {
        throw Errors.notSupported("The engine knows no global transactions.");
    }

    /** Returns the names of prepared transactions, of all sessions. */
    public List<String> prepared() throws SQLException {
        return List.of();
    }

    /** Completes a transaction that another session has prepared: the second phase of a two-phase commit. */
    public void complete(String name, boolean commit) throws SQLException {
        throw Errors.notSupported("The engine knows no global transactions.");
    }

    public abstract Savepoint savepoint(@Nullable String name) throws SQLException;

    public abstract void rollback(Savepoint savepoint) throws SQLException;

    public abstract void release(Savepoint savepoint) throws SQLException;

    public abstract boolean readOnly() throws SQLException;

    public abstract void readOnly(boolean on) throws SQLException;

    /** Returns the isolation level that transactions really have, which may differ from the requested one. */
    public int isolation() throws SQLException {
        return master().getTransactionIsolation();
    }

    public abstract void isolation(int level) throws SQLException;

    public abstract void schema(String schema) throws SQLException;

    /**
     * Executes {@code SET multimed.…} or {@code SHOW multimed.…}. Returns a query for the Master that yields the answer; null for
     * a SET.
     */
    public abstract @Nullable String multimed(SqlText text) throws SQLException;

    /** Sets whether the following statements are the driver's own, for its answer to {@link #multimed}. */
    public void answers(boolean itself) {}

    /** Makes a setting that matters only to the application, on the engine's connection and on one that takes its place. */
    public void set(String name, Setting setting) throws SQLException {
        setting.on(master());
    }

    /** Returns the engine's warnings for this connection, from whichever node. */
    public @Nullable SQLWarning warnings() throws SQLException {
        return master().getWarnings();
    }

    public void clearWarnings() throws SQLException {
        master().clearWarnings();
    }

    /** Whether these rows come from a node on which they must not be read again without checking that it is fresh. */
    public boolean isSnapshot(ResultSet rows) throws SQLException {
        return false;
    }

    /** Whether the engine answers within that many seconds. */
    public boolean valid(int timeout) throws SQLException {
        return master().isValid(timeout);
    }

    public abstract boolean closed() throws SQLException;

    public abstract void close() throws SQLException;

    public abstract void abort(java.util.concurrent.Executor executor) throws SQLException;
}
