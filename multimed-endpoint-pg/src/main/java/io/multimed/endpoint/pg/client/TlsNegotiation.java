package io.multimed.endpoint.pg.client;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.File;
import javax.net.ssl.SSLException;

/** TLS as in PostgreSQL's protocol. */
public final class TlsNegotiation {
    /** The ALPN name of the protocol (PostgreSQL manual, 54.2.11). */
    static final String PROTOCOL = "postgresql";

    private TlsNegotiation() {}

    /**
     * Creates a context from a certificate chain and a private key, both PEM.
     *
     * @throws SSLException if they cannot be used
     */
    public static SslContext context(File certificateChain, File privateKey) throws SSLException {
        SslContext context = SslContextBuilder.forServer(certificateChain, privateKey)
                .protocols("TLSv1.3", "TLSv1.2")
                .applicationProtocolConfig(new ApplicationProtocolConfig(
                        Protocol.ALPN,
                        SelectorFailureBehavior.NO_ADVERTISE,
                        SelectedListenerFailureBehavior.ACCEPT,
                        PROTOCOL))
                .build();
        KeyPairCheck.requirePair(certificateChain.toPath(), privateKey.toPath());
        return context;
    }
}
