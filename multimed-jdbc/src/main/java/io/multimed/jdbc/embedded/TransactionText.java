package io.multimed.jdbc.embedded;

import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.jdbc.backend.TransactionChanges;
import io.multimed.jdbc.session.DriverSession;
import io.multimed.jdbc.sql.SqlText;
import java.sql.SQLException;

/** A transaction that was begun by an SQL statement. Auto-commit is on again after its end. */
final class TransactionText {
    private final DriverSession session;
    private final EmbeddedSession runtime;
    private final TransactionChanges changes;
    private boolean begun;

    TransactionText(DriverSession session, EmbeddedSession runtime, TransactionChanges changes) {
        this.session = session;
        this.runtime = runtime;
        this.changes = changes;
    }

    void begin(SqlText text) throws SQLException {
        if (runtime.autoCommit()) {
            runtime.autoCommit(false);
        }
        // Also if a transaction is open, which H2 lets go on.
        begun = true;
        if (!text.name().isEmpty()) {
            lock(text);
        }
    }

    /**
     * Locks the database, so that no other session changes the data that the transaction reads from now on. The transaction must
     * be the engine's, and on the Master.
     */
    private void lock(SqlText text) throws SQLException {
        try {
            session.enter(text, true);
            changes.lock(text.name());
            session.leave();
        } catch (SQLException e) {
            try {
                throw ((DriverSession.Thrown) session.failed(e)).error();
            } finally {
                session.rollback();
            }
        }
    }

    /** Switches auto-commit on again, because the transaction has ended. */
    void ended() throws SQLException {
        if (begun) {
            begun = false;
            runtime.autoCommit(true);
        }
    }

    /** Forgets the transaction, because the application has set auto-commit itself. */
    void forget() {
        begun = false;
    }
}
