package io.multimed.endpoint.pg.session.exchange;

import io.netty.buffer.ByteBuf;

/**
 * Hears of the course of a session's units, where that is wanted; a session that nobody watches has none, and loses no time by it. Event
 * loop only.
 */
public interface UnitWatch {
    /** A message that may begin a unit is at the head of the input, perhaps not for the first time. It need not have arrived completely. */
    void message(ByteBuf in, byte type);

    /** The unit that was sent is in the input again. */
    void restarts();

    /** A wait begins; another one ends by that. */
    void waits(Wait why);

    /** The wait is over, if there was one. */
    void goesOn();

    /** All that was asked has been answered. */
    void answered(boolean failed);

    /** The session ends, whatever is under way. */
    void sessionEnds();
}
