package io.multimed.jdbc;

import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.engine.embedded.StatementRecorder;
import io.multimed.jdbc.sql.SqlKind;
import io.multimed.jdbc.sql.SqlText;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** Tells of the changes of a transaction where Satellites execute them again; does nothing where they get rows. */
final class RepeatedChanges {
    private final EmbeddedSession runtime;
    private final Savepoints savepoints = new Savepoints();
    /** The statement at hand is a definition. */
    private boolean defining;

    RepeatedChanges(EmbeddedSession runtime) {
        this.runtime = runtime;
    }

    boolean areRepeated() {
        return runtime.recorder() != null;
    }

    /** Before any statement: refuses what does not mean the same on a copy. */
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
                // Nobody else would end it.
                runtime.rollback();
            }
            throw e;
        }
    }

    /** Of SQLite, in its words. */
    void lock(String mode) throws SQLException {
        StatementRecorder recorder = runtime.recorder();
        if (recorder != null) {
            recorder.lock(mode);
        }
    }

    /** @param parameters with which; null if it was not prepared */
    void executed(SqlText text, @Nullable Parameters parameters, StatementRecorder.@Nullable Count count)
            throws SQLException {
        StatementRecorder recorder = runtime.recorder();
        if (recorder != null) {
            recorder.executed(text.sql(), parameters == null ? null : parameters::replay, count);
        }
    }

    /** @param begun whether the transaction had done something on the Master before */
    void failed(SQLException error, boolean begun) throws SQLException {
        StatementRecorder recorder = runtime.recorder();
        if (recorder != null) {
            recorder.failed(error, begun, defining);
        }
    }

    /** Any thread. */
    void cancel(Statement running) throws SQLException {
        StatementRecorder recorder = runtime.recorder();
        if (recorder == null) {
            running.cancel();
        } else {
            recorder.cancel(running);
        }
    }

    /** It has been set now. */
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

    /** The transaction has ended. */
    void ended() {
        savepoints.clear();
    }
}
