package io.multimed.engine.embedded.spi;

import io.multimed.engine.embedded.StatementRecorder;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** One connection to the Master, with what its open transaction has changed. Used by the session's thread. */
public interface MasterSession {
    Connection connection();

    /** In which names are looked up; null if the engine has none. */
    default @Nullable String schema() throws SQLException {
        return connection().getSchema();
    }

    /** Whether the open transaction has changed anything. Cheap. */
    boolean hasChanges();

    /** A transaction begins, where they take turns: what it sees must not be older than now. */
    default void begin() throws SQLException {}

    /** Stands for the open transaction, which has changed something. */
    default Object transaction() {
        return this;
    }

    /** Whether that one is still open; if not, the engine has committed it or rolled it back. */
    default boolean isOpen(Object transaction) {
        return true;
    }

    /**
     * What the open transaction has changed, LOBs included, net per row and without what was rolled back to savepoints.
     * Called right before the commit.
     *
     * @return null if nothing that Satellites hold
     */
    @Nullable
    Changes capture() throws SQLException;

    /**
     * In the engine.
     *
     * @throws SQLException also if the engine has ended the session before: what it had changed is gone then
     */
    void commit() throws SQLException;

    /** Rolls the open transaction back, in the engine. */
    default void rollback() throws SQLException {
        connection().rollback();
    }

    /**
     * Whether a query by itself, which nobody has to capture anything of, waits for no other session, keeps none waiting and sees one
     * snapshot: then it may as well run here as wait for a Satellite. Cheap.
     */
    default boolean readsFreely() {
        return false;
    }

    /** Who must be told of every change, or null if the engine itself knows what has changed. */
    default @Nullable StatementRecorder recorder() {
        return null;
    }

    /**
     * Whether something has been committed, or the catalog changed, behind the runtime's back since the last call: a
     * procedure that commits, DDL inside a function. The session's own transaction has ended when this is asked.
     */
    boolean strayed();

    /**
     * Whether this session has committed something, for all that is known, which {@link #capture} has not told, since the last
     * call. Its own transaction has ended when this is asked.
     */
    default boolean missed() {
        return false;
    }

    /** How long the engine waits for a lock, in milliseconds. */
    long lockTimeoutMillis();
}
