package io.multimed.endpoint.pg.session.exchange;

import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.ProtocolException;
import io.netty.buffer.ByteBuf;

/** The client's connection, as its session sees it. Event loop only. */
public interface ClientLink {
    /** The input that the client has sent and the session has not yet taken. */
    ByteBuf input();

    /** Puts bytes back in front of the input, so that they are taken again. Takes over the reference. */
    void unread(ByteBuf bytes);

    ByteBuf buffer(int capacity);

    /** Queues bytes for the client, to be sent at the end of the loop's round. Takes over the reference. */
    void write(ByteBuf bytes);

    boolean isWritable();

    /** Sets whether more input is wanted now. */
    void reading(boolean wanted);

    /** Sends a last error, if the client is still connected, and closes the connection. */
    void fail(ErrorFields error);

    /** Ends a conversation that broke the protocol, with an error message or without one, as the violation requires. */
    void refuse(ProtocolException violation);

    /** Closes the connection at once, because what is done for the client has failed. */
    void broken(Throwable failure);

    /** Closes the connection without a message. */
    void close();
}
