package io.multimed.jdbc;

import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.jdbc.sql.SqlText;
import java.sql.SQLException;

/** A transaction that is begun in words: auto-commit returns with its end. */
final class TransactionText {
    private final EmbeddedDriverSession session;
    private final EmbeddedSession runtime;
    private final RepeatedChanges changes;
    private boolean begun;

    TransactionText(EmbeddedDriverSession session, EmbeddedSession runtime, RepeatedChanges changes) {
        this.session = session;
        this.runtime = runtime;
        this.changes = changes;
    }

    void begin(SqlText text) throws SQLException {
        if (runtime.autoCommit()) {
            runtime.autoCommit(false);
        }
        // Where H2 lets what is open go on, too.
        begun = true;
        if (!text.name().isEmpty()) {
            lock(text);
        }
    }

    /** Nobody else is to change what the transaction reads from now on: it must be the engine's, and on the Master. */
    private void lock(SqlText text) throws SQLException {
        try {
            session.enter(text, true);
            changes.lock(text.name());
            session.leave();
        } catch (SQLException e) {
            try {
                throw ((Session.Thrown) session.failed(e)).error();
            } finally {
                session.rollback();
            }
        }
    }

    /** The transaction has ended. */
    void ended() throws SQLException {
        if (begun) {
            begun = false;
            runtime.autoCommit(true);
        }
    }

    /** The application has set auto-commit, which stays as it is now. */
    void forget() {
        begun = false;
    }
}
