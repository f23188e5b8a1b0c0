package io.multimed.jdbc.backend;

import io.multimed.engine.embedded.StatementRecorder.Bindings;
import io.multimed.engine.embedded.StatementRecorder.Count;
import io.multimed.jdbc.sql.SqlText;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * The record of the changes of a session's open transaction. The methods here record nothing. Used by the session's thread, except
 * for {@link #cancel}.
 */
public interface TransactionChanges {
    /** For sessions whose changes need no record. */
    TransactionChanges UNRECORDED = new TransactionChanges() {};

    /**
     * Called before any statement.
     *
     * @throws SQLException if the statement might not mean the same on a copy, or the transaction has been rolled back
     */
    default void before(SqlText text) throws SQLException {}

    /** Locks the database in a mode of SQLite's BEGIN. */
    default void lock(String mode) throws SQLException {}

    /**
     * Records a change that has been executed.
     *
     * @param bindings the parameters of the execution; null if it was not prepared
     * @param count the number of rows that it has changed; null for a definition
     */
    default void executed(SqlText text, @Nullable Bindings bindings, @Nullable Count count) throws SQLException {}

    /**
     * Handles a change that has failed.
     *
     * @param begun whether the transaction had done something on the Master before
     */
    default void failed(SQLException error, boolean begun) throws SQLException {}

    /** Cancels a running statement. Any thread. */
    default void cancel(Statement running) throws SQLException {
        running.cancel();
    }

    /** Notes a savepoint that has just been set. */
    default void savepoint(Savepoint savepoint) throws SQLException {}

    default void rolledBackTo(Savepoint savepoint) throws SQLException {}

    default void released(Savepoint savepoint) throws SQLException {}

    /** Notes that the transaction has ended. */
    default void ended() {}
}
