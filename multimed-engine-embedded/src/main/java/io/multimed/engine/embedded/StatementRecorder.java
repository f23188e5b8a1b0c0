package io.multimed.engine.embedded;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the changes of the open transaction as statements, to be executed again on Satellites. Only what means the same
 * everywhere may be told: that is the driver's to judge. Used by the session's thread, but
 * for {@link #cancel}.
 */
public interface StatementRecorder {
    /** How many rows a statement has changed, as its driver says, which is asked only if that is to be relied on. */
    @FunctionalInterface
    interface Count {
        long rows() throws SQLException;
    }

    /** Sets the parameters that a statement was executed with, again and again, on whatever connection. */
    @FunctionalInterface
    interface Bindings {
        void bind(PreparedStatement statement) throws SQLException;
    }

    /**
     * Before a change is executed on the Master.
     *
     * @throws SQLException 40001 if the transaction has been rolled back without the application's doing
     */
    void before() throws SQLException;

    /**
     * Locks the database for the transaction, which has done nothing yet.
     *
     * @param mode {@code IMMEDIATE} or {@code EXCLUSIVE}, as SQLite has them
     * @throws SQLException the engine's own if somebody else has locked it; the transaction must then be rolled back
     */
    void lock(String mode) throws SQLException;

    /**
     * It has been executed.
     *
     * @param bindings null if it was not prepared
     * @param count how many rows it has changed; null of a definition
     */
    void executed(String sql, @Nullable Bindings bindings, @Nullable Count count) throws SQLException;

    /**
     * It has failed, and the engine may have rolled back more than the statement.
     *
     * @param begun whether the transaction had executed another one before, be it a read
     * @param defining whether it is a definition
     */
    void failed(SQLException error, boolean begun, boolean defining) throws SQLException;

    /**
     * Cancels a statement on the Master, but not while the transaction ends: SQLite would break that off as well, and nobody would know
     * whether it has happened. Any thread.
     */
    void cancel(Statement statement) throws SQLException;

    /** How many statements there are: a place to go back to. */
    int size();

    /** What came after {@code size} was rolled back to a savepoint. */
    void rolledBackTo(int size);
}
