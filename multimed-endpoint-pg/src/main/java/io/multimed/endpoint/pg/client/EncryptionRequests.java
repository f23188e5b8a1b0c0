package io.multimed.endpoint.pg.client;

import io.multimed.protocol.pg.ProtocolException;
import io.multimed.protocol.pg.SqlState;
import io.multimed.protocol.pg.StartupPacket;
import io.netty.buffer.ByteBuf;
import io.netty.channel.unix.DomainSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import org.jspecify.annotations.Nullable;

/**
 * A client's requests for encryption before its start-up packet.
 *
 * <p>Source: PostgreSQL's manual, "SSL Session Encryption" and "GSSAPI Session Encryption".
 */
final class EncryptionRequests {
    private static final byte TLS_HANDSHAKE_RECORD = 0x16;

    private final ClientConnection client;
    private boolean sslAsked;
    private boolean gssAsked;

    EncryptionRequests(ClientConnection client) {
        this.client = client;
    }

    /** The handler that encrypts the connection; null if it is not encrypted. */
    @Nullable
    SslHandler handler() {
        return client.channel().pipeline().get(SslHandler.class);
    }

    /** Returns the context for TLS; null if there is none, or if the connection needs none because it does not leave the machine. */
    private @Nullable SslContext offered() {
        return client.channel() instanceof DomainSocketChannel
                ? null
                : client.loop().options().login().tls();
    }

    /** Whether {@code in} begins with a TLS handshake without a preceding request (protocol since PostgreSQL 17). */
    boolean isDirectTls(ByteBuf in) {
        return in.isReadable() && in.getByte(in.readerIndex()) == TLS_HANDSHAKE_RECORD && !sslAsked && !gssAsked;
    }

    /**
     * Begins TLS without a preceding request, which requires ALPN as configured by {@link TlsNegotiation}.
     *
     * @return false if there is no TLS, or there is already; then the connection has to be closed
     */
    boolean beginDirectTls(ByteBuf in) {
        SslContext tls = offered();
        if (tls == null || handler() != null) {
            return false;
        }
        sslAsked = true;
        SslHandler handler = tls.newHandler(client.channel().alloc());
        handler.handshakeFuture().addListener(done -> {
            if (!TlsNegotiation.PROTOCOL.equals(handler.applicationProtocol())) {
                client.close();
            }
        });
        ByteBuf encrypted = in.readRetainedSlice(in.readableBytes());
        client.channel().pipeline().addFirst(handler);
        client.channel().pipeline().fireChannelRead(encrypted);
        client.channel().pipeline().fireChannelReadComplete();
        return true;
    }

    /** Answers an SSLRequest, behind which nothing else may be in {@code in}. */
    void ssl(ByteBuf in) throws ProtocolException {
        if (sslAsked || handler() != null) {
            throw unsupported(StartupPacket.SSL_REQUEST);
        }
        sslAsked = true;
        SslContext tls = offered();
        if (tls == null) {
            answer((byte) 'N');
            refuseEarly(in, "SSL");
            return;
        }
        refuseEarly(in, "SSL");
        answer((byte) 'S');
        client.channel().flush();
        client.channel().pipeline().addFirst(tls.newHandler(client.channel().alloc()));
    }

    /** Denies a GSSENCRequest, behind which nothing else may be in {@code in}. */
    void gss(ByteBuf in) throws ProtocolException {
        if (gssAsked) {
            throw unsupported(StartupPacket.GSSENC_REQUEST);
        }
        gssAsked = true;
        answer((byte) 'N');
        refuseEarly(in, "GSSAPI encryption");
    }

    /**
     * Refuses bytes that a client has sent unencrypted behind a request for encryption, before that was answered. They must not
     * count as encrypted (CVE-2021-23214); where encryption is refused, PostgreSQL does not accept them either.
     */
    private static void refuseEarly(ByteBuf in, String request) throws ProtocolException {
        if (in.isReadable()) {
            throw ProtocolException.fatal(
                    SqlState.PROTOCOL_VIOLATION, "received unencrypted data after " + request + " request");
        }
    }

    /** Returns PostgreSQL's error for a repeated request, which it takes for the version number of a start-up packet. */
    private static ProtocolException unsupported(int code) {
        return ProtocolException.fatal(
                SqlState.FEATURE_NOT_SUPPORTED,
                "unsupported frontend protocol %d.%d: server supports 3.0 to 3.2"
                        .formatted(code >>> 16, code & 0xffff));
    }

    private void answer(byte letter) {
        client.write(client.buffer(1).writeByte(letter));
    }
}
