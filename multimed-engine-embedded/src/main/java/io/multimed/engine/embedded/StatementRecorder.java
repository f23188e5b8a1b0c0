package io.multimed.engine.embedded;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * Records the changes of the open transaction as statements, to be executed again on Satellites. The driver must pass only
 * statements that mean the same on every node. Used by the session's thread, except for {@link #cancel}.
 */
public interface StatementRecorder {
    /**
     * The number of rows that a statement has changed, according to the engine's driver. It is requested only if the driver is
     * reliable in this.
     */
    @FunctionalInterface
    interface Count {
        long rows() throws SQLException;
    }

    /** Sets the parameters with which a statement was executed; repeatable, on any connection. */
    @FunctionalInterface
    interface Bindings {
        void bind(PreparedStatement statement) throws SQLException;
    }

    /**
     * Prepares a change. Call it before the change is executed on the Master.
     *
     * @throws SQLException 40001 if the transaction has been rolled back without the application's doing
     */
    void before() throws SQLException;

    /**
     * Locks the database for the transaction, which has done nothing yet.
     *
     * @param mode {@code IMMEDIATE} or {@code EXCLUSIVE}, as in SQLite
     * @throws SQLException the engine's own if another connection has locked it; the transaction must then be rolled back
     */
    void lock(String mode) throws SQLException;

    /**
     * Records a change that has been executed on the Master.
     *
     * @param bindings the statement's parameters; null if it was not prepared
     * @param count the number of rows that it has changed; null for a definition
     */
    void executed(String sql, @Nullable Bindings bindings, @Nullable Count count) throws SQLException;

    /**
     * Handles a change that has failed, with which the engine may have rolled back more than the statement.
     *
     * @param begun whether the transaction had executed another statement before, even a read
     * @param defining whether the statement is a definition
     */
    void failed(SQLException error, boolean begun, boolean defining) throws SQLException;

    /**
     * Cancels a statement on the Master, but not while the transaction ends: SQLite would interrupt the commit as well, and its
     * outcome would be unknown. Any thread.
     */
    void cancel(Statement statement) throws SQLException;

    /** Returns the number of recorded statements, which marks a position for {@link #rolledBackTo}. */
    int size();

    /** Drops the statements after position {@code size}, because they were rolled back to a savepoint. */
    void rolledBackTo(int size);
}
