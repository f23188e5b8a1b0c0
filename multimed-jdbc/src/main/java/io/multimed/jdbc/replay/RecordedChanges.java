package io.multimed.jdbc.replay;

import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.engine.embedded.StatementRecorder;
import io.multimed.engine.embedded.StatementRecorder.Bindings;
import io.multimed.engine.embedded.StatementRecorder.Count;
import io.multimed.jdbc.backend.TransactionChanges;
import io.multimed.jdbc.errors.Errors;
import io.multimed.jdbc.session.Savepoints;
import io.multimed.jdbc.sql.SqlKind;
import io.multimed.jdbc.sql.SqlText;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reports the changes of a session's open transaction to the recorder of the Master on which it runs. */
final class RecordedChanges implements TransactionChanges {
    private final EmbeddedSession runtime;
    private final Savepoints savepoints = new Savepoints();
    /** Whether the present statement is a definition. */
    private boolean defining;

    RecordedChanges(EmbeddedSession runtime) {
        this.runtime = runtime;
    }

    /** Returns the present Master's recorder. */
    private StatementRecorder recorder() {
        return Objects.requireNonNull(runtime.recorder());
    }

    @Override
    public void before(SqlText text) throws SQLException {
        defining = text.kind() == SqlKind.DDL;
        String refusal = text.refusal();
        if (refusal != null) {
            throw Errors.notSupported(refusal);
        }
        try {
            recorder().before();
        } catch (SQLException e) {
            if (runtime.autoCommit()) {
                // Nothing else would end the transaction.
                runtime.rollback();
            }
            throw e;
        }
    }

    @Override
    public void lock(String mode) throws SQLException {
        recorder().lock(mode);
    }

    @Override
    public void executed(SqlText text, @Nullable Bindings bindings, @Nullable Count count) throws SQLException {
        recorder().executed(text.sql(), bindings, count);
    }

    @Override
    public void failed(SQLException error, boolean begun) throws SQLException {
        recorder().failed(error, begun, defining);
    }

    @Override
    public void cancel(Statement running) throws SQLException {
        recorder().cancel(running);
    }

    @Override
    public void savepoint(Savepoint savepoint) throws SQLException {
        savepoints.set(savepoint, recorder().size());
    }

    @Override
    public void rolledBackTo(Savepoint savepoint) throws SQLException {
        recorder().rolledBackTo(savepoints.rolledBackTo(savepoint));
    }

    @Override
    public void released(Savepoint savepoint) throws SQLException {
        savepoints.released(savepoint);
    }

    @Override
    public void ended() {
        savepoints.clear();
    }
}
