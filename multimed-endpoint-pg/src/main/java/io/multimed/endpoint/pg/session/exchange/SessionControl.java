package io.multimed.endpoint.pg.session.exchange;

import io.multimed.core.node.ComputationalNode;
import io.multimed.protocol.pg.ErrorFields;
import io.netty.buffer.ByteBuf;

/** The control by which the parts of a session let it go on or end. Event loop only. */
public interface SessionControl {
    /** Resumes the session if it waits for this. */
    void resume(Wait over);

    /** Executes the unit, which is in the input again, on the Master. */
    void runAgain();

    /** Determines once more what the unit must see, when it is placed. */
    void placeAnew();

    /**
     * Goes on after a backend was lost with which nothing else was lost. Whatever the next unit waits for, the Master executes it.
     */
    void goOnWithMaster();

    /**
     * Goes on after the units that were lost with a Satellite have failed and the client has been sent the errors. The Master
     * executes the next unit.
     */
    void goOnAfterLoss();

    /** Answers the waiting unit with the node's reply to another session. */
    void answeredAlike(ComputationalNode node, ByteBuf answer);

    /** Ends the conversation with an error, because it cannot go on. */
    void fail(ErrorFields error);

    /** Ends the session after the conversation is over, for whatever reason. The engine rolls back an open transaction. */
    void end();

    boolean isEnded();
}
