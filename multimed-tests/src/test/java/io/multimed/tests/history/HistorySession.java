package io.multimed.tests.history;

import java.util.List;

/** One session of the workload, over any driver. Never repeats anything by itself. For one thread. */
interface HistorySession extends AutoCloseable {
    /** The ways in which a transaction begins. */
    enum Kind {
        READ_COMMITTED("BEGIN", false, false),
        REPEATABLE_READ("BEGIN ISOLATION LEVEL REPEATABLE READ", true, false),
        READ_COMMITTED_READ_ONLY("BEGIN READ ONLY", false, true),
        REPEATABLE_READ_READ_ONLY("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", true, true);

        final String sql;
        final boolean repeatableRead;
        final boolean readOnly;

        Kind(String sql, boolean repeatableRead, boolean readOnly) {
            this.sql = sql;
            this.repeatableRead = repeatableRead;
            this.readOnly = readOnly;
        }
    }

    /**
     * A statement failed.
     *
     * <p>{@link #lost} says that the connection is gone with it, so that the outcome of a COMMIT is unknown.
     */
    final class Failed extends Exception {
        final String sqlState;
        final boolean lost;

        Failed(String sqlState, boolean lost, String message) {
            super(sqlState + (lost ? " (connection lost): " : ": ") + message);
            this.sqlState = sqlState;
            this.lost = lost;
        }
    }

    void begin(Kind kind) throws Failed;

    /** @param sql with parameters {@code ?}; every column is a number */
    List<long[]> query(String sql, long... parameters) throws Failed;

    void execute(String sql, long... parameters) throws Failed;

    /** Executes several statements in one string and one message, where the protocol supports it; no parameters. */
    void executeTogether(String sql) throws Failed;

    void commit() throws Failed;

    void rollback() throws Failed;

    /** Whether the last statement ran on the Master. */
    boolean onMaster() throws Failed;

    /** The name of the node that executed the last statement, as far as the session can tell. */
    default String node() throws Failed {
        return onMaster() ? "master" : "satellite";
    }

    /** Whether the session goes past Multimed, which then cannot know what the Satellites have shown. */
    default boolean isPastMultimed() {
        return false;
    }

    @Override
    void close();
}
