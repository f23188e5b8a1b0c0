package io.multimed.jdbc.embedded;

import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.jdbc.backend.TransactionChanges;
import java.sql.Connection;
import java.sql.SQLException;

/** A session's work on the Master: the running statement, and the transaction to which it belongs. */
final class MasterWork {
    private final EmbeddedSession runtime;
    private final TransactionChanges changes;

    /** Whether a statement is running. */
    private boolean running;
    /** Whether the transaction has done something here. */
    private boolean begun;
    /** Whether it had done so before the running statement. */
    private boolean hadBegun;
    /** Whether the engine commits the running statement, so that its rows stay open. */
    private boolean holding;

    MasterWork(EmbeddedSession runtime, TransactionChanges changes) {
        this.runtime = runtime;
        this.changes = changes;
    }

    boolean isRunning() {
        return running;
    }

    boolean hasBegun() {
        return begun;
    }

    /** Notes that the transaction has ended. */
    void ended() {
        begun = false;
    }

    /**
     * Begins a statement.
     *
     * @param mayChange whether it may change something or lock the rows it reads
     * @param holds whether the engine must commit it, so that its rows stay open after the commit
     * @param mostNanos longest time that it may wait
     */
    Connection enter(boolean mayChange, boolean holds, long mostNanos) throws SQLException {
        runtime.beforeUpdate(mayChange, mostNanos);
        running = true;
        hadBegun = begun;
        begun = !runtime.autoCommit();
        if (holds) {
            hold();
        }
        return runtime.master();
    }

    private void hold() throws SQLException {
        try {
            runtime.master().setAutoCommit(true);
            holding = true;
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    private void held() throws SQLException {
        if (holding) {
            holding = false;
            runtime.master().setAutoCommit(false);
        }
    }

    /** Ends a statement that has succeeded. */
    void leave() throws SQLException {
        running = false;
        try {
            held();
        } finally {
            runtime.afterUpdate();
        }
    }

    /**
     * Ends a statement that has failed.
     *
     * @return the error to throw to the application
     */
    SQLException failed(SQLException error) throws SQLException {
        running = false;
        try {
            held();
        } catch (SQLException e) {
            // The engine has ended, which the statement's error says as well.
            error.addSuppressed(e);
        }
        try {
            changes.failed(error, hadBegun);
            return runtime.failedOnMaster(error);
        } finally {
            runtime.afterUpdate();
        }
    }
}
