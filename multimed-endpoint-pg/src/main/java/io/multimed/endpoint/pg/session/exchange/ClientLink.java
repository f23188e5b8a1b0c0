package io.multimed.endpoint.pg.session.exchange;

import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.ProtocolException;
import io.netty.buffer.ByteBuf;

/** The client's connection, as its session sees it. Event loop only. */
public interface ClientLink {
    /** What the client has sent and the session has not yet taken. */
    ByteBuf input();

    /** Puts bytes back in front of the input: they will be taken again. Takes over the reference. */
    void unread(ByteBuf bytes);

    ByteBuf buffer(int capacity);

    /** Queues bytes for the client; takes over the reference. Sent at the end of the loop's round. */
    void write(ByteBuf bytes);

    boolean isWritable();

    /** Whether more input is wanted now. */
    void reading(boolean wanted);

    /** Sends a last error, if the client still listens, and closes. */
    void fail(ErrorFields error);

    /** Ends a conversation that broke the protocol, with the error or without a word as the violation says. */
    void refuse(ProtocolException violation);

    /** Closes without a word. */
    void close();
}
