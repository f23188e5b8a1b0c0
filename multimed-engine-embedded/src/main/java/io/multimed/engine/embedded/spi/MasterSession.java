package io.multimed.engine.embedded.spi;

import io.multimed.engine.embedded.StatementRecorder;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** One connection to the Master, with the changes of its open transaction. Used by the session's thread. */
public interface MasterSession {
    Connection connection();

    /** Returns the schema in which names are looked up; null if the engine has none. */
    default @Nullable String schema() throws SQLException {
        return connection().getSchema();
    }

    /** Whether the open transaction has changed anything. Cheap. */
    boolean hasChanges();

    /** Begins a transaction, where transactions take turns. It must not see a state older than now. */
    default void begin() throws SQLException {}

    /** Returns an object that identifies the open transaction, which has changed something. */
    default Object transaction() {
        return this;
    }

    /** Whether that transaction is still open; if not, the engine has committed it or rolled it back. */
    default boolean isOpen(Object transaction) {
        return true;
    }

    /**
     * Returns the changes of the open transaction, including LOBs, net per row and without changes that were rolled back to
     * savepoints. Called right before the commit.
     *
     * @return null if nothing that Satellites hold has changed
     */
    @Nullable
    Changes capture() throws SQLException;

    /**
     * Commits in the engine.
     *
     * @throws SQLException also if the engine has ended the session before, so that its changes are lost
     */
    void commit() throws SQLException;

    /** Rolls the open transaction back, in the engine. */
    default void rollback() throws SQLException {
        connection().rollback();
    }

    /**
     * Whether a single query, of which nothing must be captured, waits for no other session, keeps none waiting and sees one
     * snapshot. Then it may run here instead of waiting for a Satellite. Cheap.
     */
    default boolean readsFreely() {
        return false;
    }

    /** Returns the recorder that must be notified of every change; null if the engine itself knows the changes. */
    default @Nullable StatementRecorder recorder() {
        return null;
    }

    /**
     * Whether something has been committed, or the catalog changed, without the runtime's knowledge since the last call: by a
     * procedure that commits, or by DDL inside a function. Called after the session's own transaction has ended.
     */
    boolean strayed();

    /**
     * Whether this session may have committed something since the last call that {@link #capture} has not returned. Called after
     * its own transaction has ended.
     */
    default boolean missed() {
        return false;
    }

    /**
     * Makes the statement that runs on a Satellite for this session, if there is one, this session's running statement for other
     * sessions of the Master, so that they can cancel it. Any thread.
     *
     * @param satellite the session's connection to the Satellite
     * @return takes it back
     */
    default Runnable lend(Connection satellite) {
        return () -> {};
    }

    /** Returns the time that the engine waits for a lock, in milliseconds. */
    long lockTimeoutMillis();
}
