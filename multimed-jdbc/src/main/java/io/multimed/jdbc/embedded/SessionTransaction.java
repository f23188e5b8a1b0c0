package io.multimed.jdbc.embedded;

import io.multimed.engine.embedded.EmbeddedSession;
import io.multimed.jdbc.backend.TransactionChanges;
import io.multimed.jdbc.errors.Errors;
import io.multimed.jdbc.session.DriverSession;
import io.multimed.jdbc.sql.SqlText;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import org.jspecify.annotations.Nullable;

/** A session's open transaction: its savepoints and its end. */
final class SessionTransaction {
    private static final System.Logger LOG = System.getLogger("io.multimed.jdbc");

    private final DriverSession session;
    private final EmbeddedSession runtime;
    private final TransactionChanges changes;
    private final ReadOnlyTransaction reads;
    private final MasterWork work;
    private final TransactionText words;

    SessionTransaction(
            DriverSession session,
            EmbeddedSession runtime,
            TransactionChanges changes,
            ReadOnlyTransaction reads,
            MasterWork work) {
        this.session = session;
        this.runtime = runtime;
        this.changes = changes;
        this.reads = reads;
        this.work = work;
        this.words = new TransactionText(session, runtime, changes);
    }

    void autoCommit(boolean on) throws SQLException {
        words.forget();
        if (on != runtime.autoCommit()) {
            work.ended();
            reads.end();
            changes.ended();
            runtime.autoCommit(on);
        }
    }

    void begin(SqlText text) throws SQLException {
        words.begin(text);
    }

    void commit() throws SQLException {
        reads.complete();
        work.ended();
        try {
            runtime.commit();
        } finally {
            ended();
        }
    }

    void rollback() throws SQLException {
        work.ended();
        try {
            reads.complete();
        } catch (SQLException e) {
            // A read-only transaction has no changes that could be lost.
            LOG.log(System.Logger.Level.DEBUG, "a read-only transaction ended with its node", e);
        }
        try {
            runtime.rollback();
        } finally {
            ended();
        }
    }

    private void ended() throws SQLException {
        changes.ended();
        words.ended();
    }

    Savepoint savepoint(@Nullable String name) throws SQLException {
        if (runtime.autoCommit()) {
            session.errors().checkSavepointUnderAutoCommit();
        }
        Connection master = session.enter(SqlText.CALL, true);
        try {
            Savepoint savepoint = name == null ? master.setSavepoint() : master.setSavepoint(name);
            changes.savepoint(savepoint);
            return savepoint;
        } finally {
            session.leave();
        }
    }

    void rollback(Savepoint savepoint) throws SQLException {
        Connection master = session.enter(SqlText.CALL, true);
        try {
            master.rollback(savepoint);
            changes.rolledBackTo(savepoint);
        } catch (ClassCastException | NullPointerException e) {
            throw Errors.strangeSavepoint(e);
        } finally {
            session.leave();
        }
    }

    void release(Savepoint savepoint) throws SQLException {
        try {
            runtime.liveMaster().releaseSavepoint(savepoint);
        } catch (ClassCastException | NullPointerException e) {
            throw Errors.strangeSavepoint(e);
        }
        changes.released(savepoint);
    }
}
