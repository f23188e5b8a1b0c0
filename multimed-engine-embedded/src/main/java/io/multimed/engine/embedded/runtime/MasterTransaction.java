package io.multimed.engine.embedded.runtime;

import static io.multimed.engine.embedded.EmbeddedSession.NOTHING;

import io.multimed.core.writeset.WriteSetLog;
import io.multimed.engine.embedded.spi.Changes;
import io.multimed.engine.embedded.spi.MasterSession;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The open transaction of a session on the Master: its turn, its place inside the gate, and the changes that it commits. */
final class MasterTransaction {
    private final ReplicatedDatabase database;
    private final Definitions definitions;
    private final MasterLink master;
    /** Whether the session has been closed, perhaps by another thread. */
    private final BooleanSupplier closed;
    /**
     * Whether the open transaction is inside the gate: it has changed something, or a statement that may is running. Another
     * thread may take it out.
     */
    private final AtomicBoolean inside = new AtomicBoolean();

    /**
     * Whether the open transaction may hold locks in the engine, even if it has changed no rows. Outside the gate it could
     * deadlock: it would wait for the thread that shuts the gate, which waits for the transactions that these locks keep waiting.
     */
    private boolean mayHold;

    private final Turn turn = new Turn();
    /**
     * Whether the transaction is being committed. Then a thread that closes the session leaves it to the commit to end the
     * session's turn.
     */
    private volatile boolean committing;

    /** Whether anything has run on the Master in the open transaction. Such a transaction ends with that Master. */
    private boolean begun;
    /**
     * Identity of the open transaction while it has changes. It serves to detect an end of the transaction that was not announced.
     */
    private @Nullable Object changed;
    /** Whether the transaction ended unannounced, and not by a rollback of the engine. Then its changes are on the Master alone. */
    private boolean missed;
    /** Whether the running statement has failed and the transaction was rolled back with it. */
    private boolean rolledBack;

    MasterTransaction(ReplicatedDatabase database, MasterLink master, BooleanSupplier closed) {
        this.database = database;
        this.definitions = database.definitions();
        this.master = master;
        this.closed = closed;
    }

    boolean begun() {
        return begun;
    }

    /** Prepares a statement; begins the transaction with the first one. */
    void before(Turn.Wish wish, long mostNanos) throws SQLException {
        takeTurn(wish, mostNanos);
        boolean entered = false;
        try {
            enter(mostNanos);
            entered = true;
        } finally {
            if (!entered && !begun) {
                // A transaction that has not begun is not ended later, so its turn ends here.
                turn.leave();
            }
        }
        begun = true;
    }

    /**
     * Takes the turn before entering the gate. A session that waited for its turn inside the gate would delay changes of the
     * catalog.
     */
    private void takeTurn(Turn.Wish wish, long mostNanos) throws SQLException {
        if (!master.epoch().master().takesTurns()) {
            return;
        }
        MasterSession session = master.session();
        boolean current;
        try {
            long patience = Math.min(Definitions.patience(session), mostNanos);
            current = turn.before(master.epoch(), session, wish, begun, patience);
        } catch (SQLException | RuntimeException e) {
            turn.leave();
            throw e;
        }
        if (!current) {
            try {
                session.rollback();
            } finally {
                ended();
            }
            throw RuntimeErrors.overtaken();
        }
    }

    private void enter(long mostNanos) throws SQLException {
        if (!inside.get()) {
            definitions.enter(master.epoch(), master.session(), mostNanos);
            inside.set(true);
            if (closed.getAsBoolean()) {
                // The session was closed meanwhile, so nothing else would undo these.
                leaveGate();
                turn.leave();
                throw RuntimeErrors.aborted();
            }
        }
    }

    /** Notes that a statement may take locks in the engine that queue other transactions. */
    void mayHoldLocks() {
        mayHold |= master.epoch().master().queuesTransactions();
    }

    /** Leaves the gate. Any thread. */
    void leaveGate() {
        if (inside.getAndSet(false)) {
            definitions.leave(master.epoch());
        }
    }

    /**
     * Notices an unannounced end of the transaction. A routine that a statement calls may commit, or the statement itself in a way
     * that is not known here.
     */
    void noticeEnd() {
        MasterSession session = master.session();
        Object before = changed;
        changed = session.hasChanges() ? session.transaction() : null;
        if (before != null && before != changed && !rolledBack && !session.isOpen(before)) {
            missed = true;
        }
        rolledBack = false;
    }

    /** Accounts for the statement that has just run, after {@link #noticeEnd}, in a transaction that stays open. */
    void afterStatement() throws SQLException {
        MasterSession session = master.session();
        if (inside.get() && !session.hasChanges() && (!mayHold || session.strayed())) {
            leaveGate();
            // Either a called routine has committed, or nothing was changed.
            checkStrayed();
        } else if (session.missed()) {
            // Committed by a trigger with a connection of its own, for example, and not by this transaction, which
            // stays open.
            resynchronize();
        }
    }

    /** Notes that a statement has failed, and whether the engine has rolled the transaction back with it. */
    void statementFailed(boolean andRolledBack) {
        rolledBack = andRolledBack;
    }

    /**
     * Commits the transaction. {@link #commitEnded} must follow in any case.
     *
     * @return the SCN of the commit, or {@code NOTHING}
     */
    long commit() throws SQLException {
        committing = true;
        if (!master.session().hasChanges()) {
            master.session().commit();
            return NOTHING;
        }
        turn.committing();
        return commitChanges(master.epoch(), master.session());
    }

    private long commitChanges(Epoch of, MasterSession session) throws SQLException {
        while (true) {
            long names = of.master().names();
            Changes changes = session.capture();
            WriteSetLog.Commit<SQLException> commit = () -> {
                if (!database.masters().isCurrent(of)) {
                    throw new SQLException("the master has been replaced");
                }
                if (of.master().names() != names) {
                    throw new RenamedException();
                }
                session.commit();
            };
            try {
                if (changes != null) {
                    return database.log().commit(changes, changes.rows(), commit);
                }
                // The transaction changed nothing that Satellites hold, as long as the names are the same.
                database.log().exclusively(commit);
                return NOTHING;
            } catch (RenamedException e) {
                // Nothing was committed. The new names are valid until the next change of the catalog is placed.
            }
        }
    }

    /** Signals that a change of the catalog was placed between capture and commit. */
    private static final class RenamedException extends SQLException {}

    void commitEnded() {
        ended();
        committing = false;
    }

    /** Rolls the transaction back. {@link #ended} must follow in any case. */
    void rollback() throws SQLException {
        master.session().rollback();
    }

    /** Clears the data of a transaction that has ended in the engine. */
    void ended() {
        begun = false;
        changed = null;
        rolledBack = false;
        mayHold = false;
        leaveGate();
        turn.leave();
    }

    /** Clears the data of a transaction that ended with its Master. */
    void lost() {
        ended();
        missed = false;
    }

    /** Makes up for commits that no write set contains. Not inside the gate. */
    void checkStrayed() throws SQLException {
        missed |= master.session().missed();
        if (missed) {
            resynchronize();
            missed = false;
            return;
        }
        definitions.checkStrayed(master.epoch(), master.session());
    }

    private void resynchronize() throws SQLException {
        try {
            definitions.resynchronize(master.epoch(), master.session());
        } catch (SQLException e) {
            if (!master.epoch().master().engineFailed(e)) {
                throw e;
            }
            // The engine has failed, and the missed commits are lost with it. The next user of the engine notices the
            // failure.
        }
    }

    /** Ends the turn of a session that is closed, after its connection is. Any thread. */
    void sessionClosed() {
        if (!committing) {
            turn.leave();
        }
    }
}
