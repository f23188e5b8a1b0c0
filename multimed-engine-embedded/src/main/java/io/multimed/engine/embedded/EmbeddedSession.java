package io.multimed.engine.embedded;

import io.multimed.model.Freshness;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * The session of one application connection. It has an engine connection to the Master, and one to each Satellite from which it
 * has read.
 *
 * <p>The driver announces each statement to the session, runs it in its own thread on the engine connection that the session
 * returns, and reports its end. The driver provides auto-commit, since a commit and its SCN are one step: the engine's connection
 * to the Master never commits by itself. (With {@code replicas=1} it does, and every call here costs almost nothing.)
 *
 * <pre>
 *   read, auto-commit           r = beginRead(true); run on r.connection(); r.endRead()
 *   read-only transaction       r = beginRead(false); run many; r.endRead() at commit or rollback
 *   anything else               beforeUpdate(); try { run on master() } finally { afterUpdate() }
 *   DDL, TRUNCATE, GRANT, SET   changeCatalog(sql, () -&gt; run on master())
 *   commit, also as SQL text    commit()
 * </pre>
 *
 * <p>Not thread-safe, like a JDBC connection, except {@link #close} and {@code Statement.cancel}.
 */
public interface EmbeddedSession extends AutoCloseable {
    /** A limit that adds nothing to the limits of the options and of the engine. */
    long NO_LIMIT = Long.MAX_VALUE;

    /** Result of {@link #commit} if the transaction changed nothing. */
    long NOTHING = 0;

    /**
     * Returns the engine's own connection to the Master. Savepoints, isolation, schema, holdability may be set on it directly;
     * never call {@code commit}, {@code rollback()}, {@code setAutoCommit}, {@code close} or {@code abort} on it. The engine may
     * commit by itself only around a query that changes nothing, while no transaction is open. {@code rollback(Savepoint)} and
     * SAVEPOINT and ROLLBACK TO as text are allowed. After the Master was replaced, this returns another connection: call it each
     * time, or compare.
     */
    Connection master();

    /**
     * Returns {@link #master()} for use without a statement, after making sure, as far as is known, that the Master is alive.
     *
     * @throws SQLException of a transient class if a transaction was open on a Master that has ended
     */
    Connection liveMaster() throws SQLException;

    /** Returns the mode set by {@link #autoCommit(boolean)}; true at first. */
    boolean autoCommit();

    /** Sets the auto-commit mode. As in JDBC, a change of the mode commits the open transaction. */
    void autoCommit(boolean on) throws SQLException;

    void freshness(Freshness freshness);

    Freshness freshness();

    /**
     * Places one read or one read-only transaction: on a Satellite that has applied all commits the read must see, or on the
     * Master. May block, for no longer than the options say, and holds nothing meanwhile. No update transaction may be open in
     * this session.
     *
     * @param autoCommit whether each statement is a transaction of its own; otherwise statements up to {@link Replica#endRead}
     *     see one snapshot, on the Master as far as its connection's isolation provides one
     */
    default Replica beginRead(boolean autoCommit) throws SQLException {
        return beginRead(autoCommit, NO_LIMIT);
    }

    /**
     * Does the same as {@link #beginRead(boolean)}, for a read with little time.
     *
     * @param mostNanos longest time that it may wait for a Satellite, whatever the options say
     */
    Replica beginRead(boolean autoCommit, long mostNanos) throws SQLException;

    /**
     * Prepares every statement that runs on {@link #master()}, including reads inside an update transaction. Call it before the
     * statement.
     */
    default void beforeUpdate() throws SQLException {
        beforeUpdate(true, NO_LIMIT);
    }

    /**
     * Does the same as {@link #beforeUpdate()}, for a statement that changes nothing or has little time.
     *
     * @param mayChange whether the statement may change something or lock the rows it reads; such a statement waits for its
     *     turn where update transactions run one at a time
     * @param mostNanos longest time that it may wait for admission
     * @throws SQLException HYT00 if it was not admitted in time; 40001 if the transaction has read data that another one has
     *     changed since, and was rolled back
     */
    void beforeUpdate(boolean mayChange, long mostNanos) throws SQLException;

    /**
     * Ends what {@link #beforeUpdate()} began. Call it after the statement, whether it failed or not. (An engine undoes a failed
     * statement by itself; the successful part of a batch that failed half-way stays.) Commits if auto-commit is on.
     */
    void afterUpdate() throws SQLException;

    /**
     * Runs a statement that changes the catalog, or that changes data without a record of each row (TRUNCATE). Commits the open
     * transaction as the engine would, waits until no update transaction is open elsewhere, runs the statement, and propagates it
     * with an SCN of its own. Do not call {@code beforeUpdate} and {@code afterUpdate} around it.
     *
     * @param sql the statement's text; it is executed again on every Satellite, or the data it changed is copied there
     * @param onMaster runs it on {@link #master()}
     * @throws SQLException the engine's own; HYT00 if update transactions elsewhere do not end within the engine's lock
     *     timeout
     */
    <T extends @Nullable Object> T changeCatalog(String sql, Work<T> onMaster) throws SQLException;

    /**
     * Runs a statement that shuts the engine down and thereby ends this database. No Satellite takes the Master's place. No
     * transaction may be open.
     *
     * @param onMaster runs it on {@link #master()}
     */
    <T extends @Nullable Object> T shutDown(Work<T> onMaster) throws SQLException;

    /**
     * Runs a statement with which the engine cancels what other sessions are executing, such as H2's {@code CANCEL_SESSION}: it
     * reaches what they execute on Satellites, too.
     *
     * @param onMaster runs it on {@link #master()}, between {@link #beforeUpdate()} and {@link #afterUpdate()}
     */
    default <T extends @Nullable Object> T endOthers(Work<T> onMaster) throws SQLException {
        return onMaster.run();
    }

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
     * Judges an error of a statement on {@link #master()}. If the engine is to blame, another Master is found, the open
     * transaction is rolled back, and the returned error is of a transient class.
     *
     * @return the error to throw to the application
     */
    SQLException failedOnMaster(SQLException error);

    /**
     * Returns the recorder that must be notified before and after every change, because Satellites execute changes again. Null if
     * Satellites receive the changed rows. With a recorder, definitions count as changes as well, and {@link #changeCatalog} is
     * not called.
     */
    default @Nullable StatementRecorder recorder() {
        return null;
    }

    /** Returns the database to which this session belongs. */
    EmbeddedDatabase database();

    /**
     * Whether the session cannot be used any more: it was closed, the database was shut down, or the engine has closed the
     * connection by itself.
     */
    boolean isClosed() throws SQLException;

    /** Rolls back the open transaction and closes every engine connection. Idempotent. Any thread. */
    @Override
    void close() throws SQLException;
}
