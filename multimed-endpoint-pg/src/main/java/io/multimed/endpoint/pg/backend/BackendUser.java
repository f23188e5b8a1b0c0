package io.multimed.endpoint.pg.backend;

import io.netty.buffer.ByteBuf;

/** The holder of an engine connection, which receives its replies. Called on the event loop. */
public interface BackendUser {
    /**
     * Receives a whole message. For DataRow and CopyData only the first five bytes are guaranteed to be present, unless
     * {@link #wantsWholeMessages}.
     *
     * @param index of the type byte
     * @param length of the whole message, type byte included
     * @return whether to pass its bytes to {@link #onBytes}
     */
    boolean onMessage(byte type, ByteBuf in, int index, int length);

    /** Whether the user inspects the next message, so that it must be complete even if it is a row. */
    boolean wantsWholeMessages();

    /** Receives bytes of accepted messages, in order: possibly several messages, or a part of one. The buffer is not retained. */
    void onBytes(ByteBuf in, int from, int to);

    /** Whether to call {@link #onBoundary} between the last message handed on and the next. */
    boolean wantsBoundary();

    /** Called when all bytes accepted so far have been delivered, so that a reply of Multimed's own can be inserted. */
    void onBoundary();

    /**
     * Called after a ReadyForQuery was accepted or dropped and all bytes before it were delivered. The connection may be released.
     */
    void onReady(byte status);

    /** Called when the engine has closed the connection. */
    void onClosed();

    /** Whether the user accepts more replies now. If not, reading stops until {@link BackendConnection#resumeReading}. */
    boolean wantsMore();

    /** Whether the user is Multimed itself, on whose work several databases depend, so that no PAUSE of a database concerns it. */
    default boolean isMultimedsOwn() {
        return false;
    }

    /** Whether the engine owes an answer. */
    default boolean awaitsEngine() {
        return true;
    }

    /** Whether the user holds the connection while its client does nothing: is idle in a transaction, or does not read. */
    default boolean keepsOthersWaiting() {
        return false;
    }
}
