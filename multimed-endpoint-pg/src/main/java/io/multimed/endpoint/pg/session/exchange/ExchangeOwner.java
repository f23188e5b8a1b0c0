package io.multimed.endpoint.pg.session.exchange;

import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.session.settings.Residue;
import io.multimed.protocol.pg.ErrorFields;
import org.jspecify.annotations.Nullable;

/** Whose exchange it is: told what the engine's replies come to. Event loop only. */
public interface ExchangeOwner extends SessionControl {
    void acquired(BackendConnection connection);

    /** @param error what the engine answered; null when it could not be reached at all */
    void notAcquired(@Nullable ErrorFields error);

    ConnectionSharing sharing();

    /** Whether nothing is done before all replies have come. */
    boolean awaitsReplies();

    /** Bytes from a Satellite are about to reach the client. */
    void satelliteAnswers(ComputationalNode node);

    /** What the client is told when the engine reports a parameter. */
    String reportedTo(String name, String value);

    /** The engine has warned that there is no process of this number. @return whether the client is not told so */
    boolean signalled(int number);

    /** Whether notifications of the channel come over the shared connection. */
    boolean hearsShared(String channel);

    /** The Master has ended the session's transaction. @return whether the client is told later, by somebody else */
    boolean holdsReady();

    /** The status of the transaction as the client knows it, when what was its own within a block has ended. */
    byte statusBehindOwn(boolean failed);

    /** A ReadyForQuery came, whoever asked for it. @param failed behind an error */
    void unitEnded(boolean failed);

    /**
     * What was a transaction of its own within the client's block is over, or what Multimed asked before it.
     *
     * @param answered the client's unit has been answered
     * @param failed and that was an error
     */
    void ownTransactionEnded(boolean answered, boolean failed);

    /** @param residue what a transaction has left behind; null when the engine could not tell */
    void residueKnown(@Nullable Residue residue);

    /** The engine has refused what was to prepare a statement. */
    void prepareFailed(Subject.Preparing preparing);

    /** The engine has ignored what was to prepare a statement, after an error. */
    void prepareIgnored(Subject.Preparing preparing);

    /** Setting up the engine session for a unit failed; what the unit itself answers tells the client no truth. */
    void preparationFailed(ErrorFields error);

    /** A Satellite could not answer the unit and nothing of it was seen. */
    void runElsewhere();

    /**
     * The engine closed the connection; {@link Exchange#dropUnanswered} or {@link Exchange#failUnanswered} is to follow before
     * the session goes on.
     */
    void backendLost(Loss loss);
}
