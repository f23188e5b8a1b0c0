package io.multimed.endpoint.pg.session.exchange;

import io.multimed.core.node.ComputationalNode;
import io.multimed.protocol.pg.ErrorFields;
import io.netty.buffer.ByteBuf;

/** How the parts of a session have it go on or end. Event loop only. */
public interface SessionControl {
    /** What was waited for has come; if it is that which the session waits for, it goes on. */
    void resume(Wait over);

    /** The unit is in the input again: the Master executes it. */
    void runAgain();

    /** What the unit must see is found out once more when it is placed. */
    void placeAnew();

    /** Nothing was lost with the backend; whatever the next unit waits for, the Master executes it. */
    void goOnWithMaster();

    /** The units that were lost with a Satellite have failed, and the client has been told. Likewise. */
    void goOnAfterLoss();

    /** The unit that waits is answered with what another session was told by the node. */
    void answeredAlike(ComputationalNode node, ByteBuf answer);

    /** The conversation cannot go on. */
    void fail(ErrorFields error);

    /** The conversation is over, for whatever reason. The engine rolls back what is open. */
    void end();

    boolean isEnded();
}
