package io.multimed.engine.embedded.runtime;

import io.multimed.core.writeset.UpdateTurns;
import io.multimed.engine.embedded.spi.MasterSession;
import io.multimed.engine.embedded.spi.Uninterrupted;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A session's turn, where update transactions run one at a time: from the first statement that may change something to the
 * end of the transaction. What the transaction has read before must still be so then.
 */
final class Turn {
    /** Of the Master on which it is the session's turn; null if it is not. Another thread may end it. */
    private final AtomicReference<@Nullable UpdateTurns> taken = new AtomicReference<>();

    /** How many changes there had been when the transaction began. */
    private long since;
    /** The transaction may have committed a change. */
    private volatile boolean changed;
    /** The last transaction was too late: the next one takes its turn before it reads. */
    private boolean overtaken;

    /** What a statement wants. */
    enum Wish {
        /** To read, and nothing that comes after it in its transaction will change anything. */
        READ,
        /** To read, in a transaction that may change something later. */
        READ_FIRST,
        CHANGE
    }

    /**
     * Before a statement runs on a Master on which they take turns. Not inside the gate.
     *
     * @param begun whether anything has run in its transaction
     * @param patienceNanos how long it may wait
     * @return false if the transaction has read what is not so any more, and must be rolled back
     * @throws SQLException HYT00 if the turn did not come
     */
    boolean before(Epoch of, MasterSession session, Wish wish, boolean begun, long patienceNanos) throws SQLException {
        if (taken.get() != null) {
            return true;
        }
        UpdateTurns turns = of.turns();
        boolean takes = wish == Wish.CHANGE || wish == Wish.READ_FIRST && overtaken;
        if (takes) {
            take(turns, patienceNanos);
        }
        if (!begun) {
            since = turns.changes();
            // After it was noted: what the transaction sees must not be older.
            session.begin();
        } else if (takes && since != turns.changes()) {
            overtaken = true;
            return false;
        }
        return true;
    }

    private void take(UpdateTurns turns, long patienceNanos) throws SQLException {
        if (!Uninterrupted.call(() -> turns.take(patienceNanos))) {
            throw Errors.noTurn(patienceNanos);
        }
        changed = false;
        taken.set(turns);
    }

    /** From now on nobody knows whether a change was committed, unless the transaction is rolled back. */
    void committing() {
        changed = true;
        overtaken = false;
    }

    /** The transaction has ended in the engine. Any thread. */
    void leave() {
        UpdateTurns turns = taken.getAndSet(null);
        if (turns != null) {
            turns.leave(changed);
        }
    }
}
