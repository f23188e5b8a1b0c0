package io.multimed.engine.embedded.runtime;

import io.multimed.core.writeset.UpdateTurns;
import io.multimed.engine.embedded.spi.MasterSession;
import io.multimed.engine.embedded.spi.Uninterrupted;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A session's turn, where update transactions run one at a time: from the first statement that may change something to the end of
 * the transaction. Data that the transaction has read before must still be unchanged when the turn begins.
 */
final class Turn {
    /** Turns of the Master on which the session has the turn; null if it has none. Another thread may end the turn. */
    private final AtomicReference<@Nullable UpdateTurns> taken = new AtomicReference<>();

    /** Number of changes at the beginning of the transaction. */
    private long since;
    /** Whether the transaction may have committed a change. */
    private volatile boolean changed;
    /** Whether the last transaction was overtaken by another change. The next one takes its turn before it reads. */
    private boolean overtaken;

    /** The purpose of a statement. */
    enum Wish {
        /** A read in a transaction that will change nothing. */
        READ,
        /** A read in a transaction that may change something later. */
        READ_FIRST,
        CHANGE
    }

    /**
     * Prepares a statement on a Master where transactions take turns. Not inside the gate.
     *
     * @param begun whether anything has run in its transaction
     * @param patienceNanos longest time that it may wait
     * @return false if the transaction has read data that has changed since, and must be rolled back
     * @throws SQLException HYT00 if the turn did not come
     */
    boolean before(Epoch of, MasterSession session, Wish wish, boolean begun, long patienceNanos) throws SQLException {
        if (taken.get() != null) {
            return true;
        }
        UpdateTurns turns = of.turns();
        boolean takes = wish == Wish.CHANGE || (wish == Wish.READ_FIRST && overtaken);
        if (takes) {
            take(turns, patienceNanos);
        }
        if (!begun) {
            since = turns.changes();
            // After the number was noted, because the transaction must not see an older state.
            session.begin();
        } else if (takes && since != turns.changes()) {
            overtaken = true;
            return false;
        }
        return true;
    }

    private void take(UpdateTurns turns, long patienceNanos) throws SQLException {
        if (!Uninterrupted.call(() -> turns.take(patienceNanos))) {
            throw RuntimeErrors.noTurn(patienceNanos);
        }
        changed = false;
        taken.set(turns);
    }

    /** Notes that from now on the transaction counts as a committed change, unless it is rolled back. */
    void committing() {
        changed = true;
        overtaken = false;
    }

    /** Ends the turn, after the transaction has ended in the engine. Any thread. */
    void leave() {
        UpdateTurns turns = taken.getAndSet(null);
        if (turns != null) {
            turns.leave(changed);
        }
    }
}
