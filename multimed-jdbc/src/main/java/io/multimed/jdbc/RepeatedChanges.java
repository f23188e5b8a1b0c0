package io.multimed.jdbc;

import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.engine.embedded.StatementRecorder;
import io.multimed.jdbc.sql.SqlKind;
import io.multimed.jdbc.sql.SqlText;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * Reports a transaction's changes to the recorder where Satellites execute them again. Does nothing where Satellites receive rows.
 */
final class RepeatedChanges {
    private final EmbeddedSession runtime;
    private final Savepoints savepoints = new Savepoints();
    /** Whether the present statement is a definition. */
    private boolean defining;

    RepeatedChanges(EmbeddedSession runtime) {
        this.runtime = runtime;
    }

    boolean areRepeated() {
        return runtime.recorder() != null;
    }

    /** Called before any statement. Refuses statements that do not mean the same on a copy. */
    void before(SqlText text) throws SQLException {
        StatementRecorder recorder = runtime.recorder();
        if (recorder != null) {
            defining = text.kind() == SqlKind.DDL;
            String refusal = text.refusal();
            if (refusal != null) {
                throw Errors.notSupported(refusal);
            }
            before(recorder);
        }
    }

    private void before(StatementRecorder recorder) throws SQLException {
        try {
            recorder.before();
        } catch (SQLException e) {
            if (runtime.autoCommit()) {
                // Nothing else would end the transaction.
                runtime.rollback();
            }
            throw e;
        }
    }

    /** Locks the database in a mode of SQLite's BEGIN. */
    void lock(String mode) throws SQLException {
        StatementRecorder recorder = runtime.recorder();
        if (recorder != null) {
            recorder.lock(mode);
        }
    }

    /**
     * Records a change that has been executed.
     *
     * @param parameters the parameters of the execution; null if it was not prepared
     */
    void executed(SqlText text, @Nullable Parameters parameters, StatementRecorder.@Nullable Count count)
            throws SQLException {
        StatementRecorder recorder = runtime.recorder();
        if (recorder != null) {
            recorder.executed(text.sql(), parameters == null ? null : parameters::replay, count);
        }
    }

    /**
     * Handles a change that has failed.
     *
     * @param begun whether the transaction had done something on the Master before
     */
    void failed(SQLException error, boolean begun) throws SQLException {
        StatementRecorder recorder = runtime.recorder();
        if (recorder != null) {
            recorder.failed(error, begun, defining);
        }
    }

    /** Cancels a running statement. Any thread. */
    void cancel(Statement running) throws SQLException {
        StatementRecorder recorder = runtime.recorder();
        if (recorder == null) {
            running.cancel();
        } else {
            recorder.cancel(running);
        }
    }

    /** Notes a savepoint that has just been set. */
    void savepoint(Savepoint savepoint) throws SQLException {
        StatementRecorder recorder = runtime.recorder();
        if (recorder != null) {
            savepoints.set(savepoint, recorder.size());
        }
    }

    void rolledBackTo(Savepoint savepoint) throws SQLException {
        StatementRecorder recorder = runtime.recorder();
        if (recorder != null) {
            recorder.rolledBackTo(savepoints.rolledBackTo(savepoint));
        }
    }

    void released(Savepoint savepoint) throws SQLException {
        if (areRepeated()) {
            savepoints.released(savepoint);
        }
    }

    /** Notes that the transaction has ended. */
    void ended() {
        savepoints.clear();
    }
}
