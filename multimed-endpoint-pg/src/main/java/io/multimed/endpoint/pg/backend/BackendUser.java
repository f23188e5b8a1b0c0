package io.multimed.endpoint.pg.backend;

import io.netty.buffer.ByteBuf;

/** Whoever holds a connection to an engine and hears its replies. Called on the event loop. */
public interface BackendUser {
    /**
     * A whole message; of DataRow and CopyData only the first five bytes are sure to be there, unless {@link
     * #wantsWholeMessages}.
     *
     * @param index where its type byte stands
     * @param length of the whole message, type byte included
     * @return whether its bytes are to be passed to {@link #onBytes}
     */
    boolean onMessage(byte type, ByteBuf in, int index, int length);

    /** Whether the next message is looked into, so that it is wanted as a whole even if it is a row. */
    boolean wantsWholeMessages();

    /** Bytes of messages that were accepted, in order, possibly several messages or a part of one. Not retained. */
    void onBytes(ByteBuf in, int from, int to);

    /** Whether {@link #onBoundary} is wanted between the last message handed on and the next. */
    boolean wantsBoundary();

    /** All bytes accepted so far have been delivered: the place for a reply of Multimed's own. */
    void onBoundary();

    /** A ReadyForQuery was accepted or dropped and all bytes before it were delivered. The connection may be released. */
    void onReady(byte status);

    /** The engine closed the connection; it is gone. */
    void onClosed();

    /** Whether more replies are wanted now; when not, reading stops until {@link BackendConnection#resumeReading}. */
    boolean wantsMore();

    /** Whether the engine owes an answer. */
    default boolean awaitsEngine() {
        return true;
    }

    /** Whether it holds the connection although its client is the one who does nothing: idle in a transaction, or not reading. */
    default boolean keepsOthersWaiting() {
        return false;
    }
}
