package io.multimed.endpoint.pg.session.exchange;

import io.multimed.endpoint.pg.session.settings.Residue;
import io.multimed.protocol.pg.ErrorFields;
import org.jspecify.annotations.Nullable;

/** The result of the unit that the engine has answered last, collected from its replies up to ReadyForQuery. */
final class UnitResult {
    /** Whether it was answered with an error. */
    private boolean failed;
    /** Whether the client asked for it. */
    private boolean clients;
    /** The engine's reason for refusing Multimed's own statement. */
    private @Nullable ErrorFields internalError;
    /** The error by which the engine reports that it has lost the transaction before; null if it has not. */
    private @Nullable ErrorFields lostTransaction;
    /** The residue for which it asked. */
    private @Nullable Residue residue;

    /** Forgets everything. */
    void reset() {
        failed = false;
        clients = false;
        internalError = null;
        lostTransaction = null;
        residue = null;
    }

    /** Records an error. */
    void fails() {
        failed = true;
    }

    /** Records the engine's refusal of Multimed's own statement; null if it was meant to fail. */
    void internalError(@Nullable ErrorFields error) {
        internalError = error;
    }

    /** Records that the engine has lost the transaction before, and reports it in answer to Multimed's own statement. */
    void lostTransaction(ErrorFields error) {
        lostTransaction = error;
    }

    /** Records a ReadyForQuery. */
    void ready(Note note) {
        residue = note.subject() instanceof Residue answer ? answer : null;
        clients = !note.internal();
    }

    /** Whether the unit has failed. Resets the answer. */
    boolean takeFailed() {
        boolean answer = failed;
        failed = false;
        return answer;
    }

    /** Whether the client asked for the unit. Resets the answer. */
    boolean takeClients() {
        boolean answer = clients;
        clients = false;
        return answer;
    }

    /** The error of Multimed's own statement; null if it did not fail. Resets the answer. */
    @Nullable
    ErrorFields takeInternalError() {
        ErrorFields answer = internalError;
        internalError = null;
        return answer;
    }

    /** The error by which the engine reports that it has lost the transaction before; null if it has not. Resets the answer. */
    @Nullable
    ErrorFields takeLostTransaction() {
        ErrorFields answer = lostTransaction;
        lostTransaction = null;
        return answer;
    }

    /** The residue of the engine session; null if it was not asked for. Resets the answer. */
    @Nullable
    Residue takeResidue() {
        Residue answer = residue;
        residue = null;
        return answer;
    }
}
