package io.multimed.endpoint.mysql.session;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.net.InetSocketAddress;

/** The client's connection, as its session uses it. */
public interface MysqlClientLink {
    InetSocketAddress remote();

    InetSocketAddress local();

    ByteBufAllocator alloc();

    void write(ByteBuf out);

    void flush();

    /** Sends all that was written, then closes. */
    void finish();

    boolean isWritable();

    /** Stops or continues reading from the client. */
    void reading(boolean on);

    /** Offers the session again what it has left unread. */
    void readOnAgain();
}
