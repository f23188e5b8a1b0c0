package io.multimed.engine.embedded;

import io.multimed.model.Freshness;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * One application connection: its engine connection to the Master, and one to each Satellite that it has read from.
 *
 * <p>The driver tells the session what it is about to run, runs it on the engine connection that it is given, in its own
 * thread, and tells when it has ended. Auto-commit is virtual, since commit and SCN are one step: the engine's connection
 * to the Master never commits by itself (with {@code replicas=1} it does, and every call here is next to nothing).
 *
 * <pre>
 *   read, auto-commit           r = beginRead(true); run on r.connection(); r.endRead()
 *   read-only transaction       r = beginRead(false); run many; r.endRead() at commit or rollback
 *   anything else               beforeUpdate(); try { run on master() } finally { afterUpdate() }
 *   DDL, TRUNCATE, GRANT, SET   changeCatalog(sql, () -&gt; run on master())
 *   commit, also as SQL text    commit()
 * </pre>
 *
 * <p>Not thread-safe, as a JDBC connection is not, except {@link #close} and {@code Statement.cancel}.
 */
public interface EmbeddedSession extends AutoCloseable {
    /** What waits as long as the options, or the engine, say. */
    long NO_LIMIT = Long.MAX_VALUE;

    /** What {@link #commit} returns if the transaction changed nothing. */
    long NOTHING = 0;

    /**
     * The engine's own connection to the Master. Savepoints, isolation, schema, holdability may be set on it directly;
     * never call {@code commit}, {@code rollback()}, {@code setAutoCommit}, {@code close} or {@code abort} on it.
     * Only around a query that changes nothing, with nothing open, may the engine commit by itself.
     * {@code rollback(Savepoint)} and SAVEPOINT and ROLLBACK TO as text are allowed. A Master that was replaced
     * gives another connection: ask each time, or compare.
     */
    Connection master();

    /**
     * {@link #master()}, for whatever is no statement: one that lives, as far as is known.
     *
     * @throws SQLException of a transient class if a transaction was open on one that has ended
     */
    Connection liveMaster() throws SQLException;

    /** As set by {@link #autoCommit(boolean)}; true at first. */
    boolean autoCommit();

    /** Like JDBC's: a change commits the transaction that is open. */
    void autoCommit(boolean on) throws SQLException;

    void freshness(Freshness freshness);

    Freshness freshness();

    /**
     * Places one read or one read-only transaction: a Satellite that has applied what it must see, or the Master. May
     * block, holding nothing, at most as long as the options say. No update transaction may be open in this session.
     *
     * @param autoCommit whether each statement is a transaction of its own; else statements up to
     *     {@link Replica#endRead} see one snapshot, on the Master as far as its connection's isolation gives one
     */
    default Replica beginRead(boolean autoCommit) throws SQLException {
        return beginRead(autoCommit, NO_LIMIT);
    }

    /**
     * As {@link #beginRead(boolean)}, for a read that has not much time: it waits no longer than that for a Satellite.
     *
     * @param mostNanos how long it may wait, whatever the options say
     */
    Replica beginRead(boolean autoCommit, long mostNanos) throws SQLException;

    /** Before every statement that runs on the Master for {@link #master()}, reads inside an update transaction included. */
    default void beforeUpdate() throws SQLException {
        beforeUpdate(true, NO_LIMIT);
    }

    /**
     * As {@link #beforeUpdate()}, for a statement that changes nothing or has not much time.
     *
     * @param mayChange whether it may change something, or locks what it reads: then it waits for its turn where update
     *     transactions run one at a time
     * @param mostNanos how long it may wait to be let in
     * @throws SQLException HYT00 if it was not let in meanwhile; 40001 if the transaction has read what another one has changed
     *     since, and was rolled back
     */
    void beforeUpdate(boolean mayChange, long mostNanos) throws SQLException;

    /**
     * After it, whether it failed or not (an engine undoes a failed statement by itself; of a batch that failed half-way
     * what succeeded stays). Commits if auto-commit is on.
     */
    void afterUpdate() throws SQLException;

    /**
     * Runs a statement that changes the catalog, or changes data in a way that leaves no rows behind (TRUNCATE): commits
     * what is open as the engine would, waits until no update transaction is open elsewhere, runs it, propagates it in an
     * SCN of its own. {@code beforeUpdate} and {@code afterUpdate} are not called around it.
     *
     * @param sql its text; executed again on every Satellite, or what it changed is copied there
     * @param onMaster runs it on {@link #master()}
     * @throws SQLException the engine's own; HYT00 if update transactions elsewhere do not end within the engine's lock
     *     timeout
     */
    <T extends @Nullable Object> T changeCatalog(String sql, Work<T> onMaster) throws SQLException;

    /**
     * Runs a statement that ends the engine, and with it this database: no Satellite takes its place. No transaction is open.
     *
     * @param onMaster runs it on {@link #master()}
     */
    <T extends @Nullable Object> T shutDown(Work<T> onMaster) throws SQLException;

    /** Work on the Master's connection. */
    @FunctionalInterface
    interface Work<T extends @Nullable Object> {
        T run() throws SQLException;
    }

    /**
     * Commits the open update transaction: commit and SCN are one atomic step.
     *
     * @return the SCN, or {@link #NOTHING}
     * @throws SQLException the engine's own: the transaction is rolled back then
     */
    long commit() throws SQLException;

    void rollback() throws SQLException;

    /**
     * A statement on {@link #master()} failed. Judges whether the engine is to blame: then another Master is found, the
     * open transaction is rolled back, and what is returned is of a transient class.
     *
     * @return what to throw to the application
     */
    SQLException failedOnMaster(SQLException error);

    /**
     * Who must be told of every change before and after it is executed, since Satellites execute it again; null if what has
     * changed reaches them as rows. Definitions are changes then as well, and {@link #changeCatalog} is not called.
     */
    default @Nullable StatementRecorder recorder() {
        return null;
    }

    /** The database that this session belongs to. */
    EmbeddedDatabase database();

    /** Whether it can be used no more: closed, shut down, or the engine alone has closed its connection. */
    boolean isClosed() throws SQLException;

    /** Rolls back what is open and closes every engine connection. Idempotent. Any thread. */
    @Override
    void close() throws SQLException;
}
