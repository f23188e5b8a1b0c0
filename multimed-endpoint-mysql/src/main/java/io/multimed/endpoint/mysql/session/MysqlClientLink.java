package io.multimed.endpoint.mysql.session;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

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

    /** Whether a client may begin TLS. */
    boolean offersTls();

    /** Whether this client may not do without. */
    boolean requiresTls();

    /**
     * Begins TLS, as the server.
     *
     * @param in received behind the request. Nothing of it counts as received under TLS unless it is encrypted
     */
    void beginTls(ByteBuf in);

    boolean isEncrypted();

    /** Returns the certificate that the client was shown, DER; null without TLS, or if it is not known. */
    byte @Nullable [] certificate();

    /** Offers the session again what it has left unread. */
    void readOnAgain();
}
