package io.multimed.jdbc;

import io.multimed.engine.embedded.EmbeddedSession;
import java.sql.Connection;
import java.sql.SQLException;

/** What a session does on the Master: the statement that is running there, and the transaction that it belongs to. */
final class MasterWork {
    private final EmbeddedSession runtime;
    private final RepeatedChanges changes;

    /** A statement is running. */
    private boolean running;
    /** The transaction has done something here. */
    private boolean begun;
    /** It had done so before the statement that is running. */
    private boolean hadBegun;
    /** The statement that is running is committed by the engine, for the sake of its rows. */
    private boolean holding;

    MasterWork(EmbeddedSession runtime, RepeatedChanges changes) {
        this.runtime = runtime;
        this.changes = changes;
    }

    boolean isRunning() {
        return running;
    }

    boolean hasBegun() {
        return begun;
    }

    /** The transaction has ended. */
    void ended() {
        begun = false;
    }

    /**
     * A statement begins.
     *
     * @param mayChange whether it may change something, or locks what it reads
     * @param holds whether the engine is to commit it, so that its rows outlast that
     * @param mostNanos how long it may wait
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

    /** It has succeeded. */
    void leave() throws SQLException {
        running = false;
        try {
            held();
        } finally {
            runtime.afterUpdate();
        }
    }

    /**
     * It has failed.
     *
     * @return what to throw to the application
     */
    SQLException failed(SQLException error) throws SQLException {
        running = false;
        try {
            held();
        } catch (SQLException e) {
            // The engine has ended, which the error says as well.
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
