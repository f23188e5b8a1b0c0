package io.multimed.endpoint.pg.session.exchange;

import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.session.settings.Residue;
import io.multimed.protocol.pg.ErrorFields;
import org.jspecify.annotations.Nullable;

/** The owner of an exchange, which is notified of the results of the engine's replies. Event loop only. */
public interface ExchangeOwner extends SessionControl {
    void acquired(BackendConnection connection);

    /**
     * Reports that no connection could be acquired.
     *
     * @param error the engine's answer; null if the engine could not be reached at all
     */
    void notAcquired(@Nullable ErrorFields error);

    ConnectionSharing sharing();

    /** Whether the session does nothing before all replies have arrived. */
    boolean awaitsReplies();

    /** Notes that bytes from a Satellite are about to reach the client. */
    void satelliteAnswers(ComputationalNode node);

    /** Returns the value that the client is sent when the engine reports a parameter. */
    String reportedTo(String name, String value);

    /**
     * Handles the engine's warning that there is no process of this number.
     *
     * @return whether the client must not see the warning
     */
    boolean signalled(int number);

    /** Whether notifications of the channel arrive over the shared connection. */
    boolean hearsShared(String channel);

    /**
     * Handles the end of the session's transaction on the Master.
     *
     * @return whether the client's ReadyForQuery is held back and sent later by another part of the session
     */
    boolean holdsReady();

    /** The transaction status as the client knows it, after a transaction of Multimed's own within a block has ended. */
    byte statusBehindOwn(boolean failed);

    /**
     * Handles a ReadyForQuery, whether or not the client asked for it.
     *
     * @param failed whether an error preceded it
     */
    void unitEnded(boolean failed);

    /** Handles the end of a plain read to which the engine has replied as usual. */
    void plainReadEnded();

    /**
     * Handles the end of a transaction of Multimed's own within the client's block, or of Multimed's own query before it.
     *
     * @param answered whether the client's unit has been answered
     * @param failed whether it failed
     */
    void ownTransactionEnded(boolean answered, boolean failed);

    /**
     * Receives the residue of a transaction.
     *
     * @param residue what the transaction has left behind; null if the engine could not answer
     */
    void residueKnown(@Nullable Residue residue);

    /** Handles the engine's refusal of a message that prepares a statement. */
    void prepareFailed(Subject.Preparing preparing);

    /** Handles a message that prepares a statement and that the engine has ignored after an error. */
    void prepareIgnored(Subject.Preparing preparing);

    /** Handles a failure while the engine session was set up for a unit. The replies to the unit itself are then meaningless. */
    void preparationFailed(ErrorFields error);

    /** Runs the unit elsewhere, because a Satellite could not answer it and the client has seen nothing of it. */
    void runElsewhere();

    /**
     * Handles the loss of the connection. Before the session goes on, {@link Exchange#dropUnanswered} or
     * {@link Exchange#failUnanswered} must be called.
     */
    void backendLost(BackendLoss loss);
}
