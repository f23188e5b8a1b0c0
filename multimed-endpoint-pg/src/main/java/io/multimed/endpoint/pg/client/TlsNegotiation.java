package io.multimed.endpoint.pg.client;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.File;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** TLS as in PostgreSQL's protocol. */
public final class TlsNegotiation {
    /** The ALPN name of the protocol (PostgreSQL manual, 54.2.11). */
    static final String PROTOCOL = "postgresql";

    private TlsNegotiation() {}

    /** Creates a context by which clients are not asked for certificates. */
    public static SslContext context(File certificateChain, File privateKey) throws SSLException {
        return context(certificateChain, privateKey, null);
    }

    /**
     * Creates a context from a certificate chain and a private key, both PEM.
     *
     * @param clientAuthorities certificates, PEM, of authorities whose certificates clients may present; null if clients are not
     *     asked for any
     * @throws SSLException if they cannot be used
     */
    public static SslContext context(File certificateChain, File privateKey, @Nullable File clientAuthorities)
            throws SSLException {
        SslContextBuilder builder = SslContextBuilder.forServer(certificateChain, privateKey)
                .protocols("TLSv1.3", "TLSv1.2")
                .applicationProtocolConfig(new ApplicationProtocolConfig(
                        Protocol.ALPN,
                        SelectorFailureBehavior.NO_ADVERTISE,
                        SelectedListenerFailureBehavior.ACCEPT,
                        PROTOCOL));
        if (clientAuthorities != null) {
            // A rule decides whether a client needs a certificate. One that a client presents must be good in any case.
            builder.trustManager(clientAuthorities).clientAuth(ClientAuth.OPTIONAL);
        }
        SslContext context = builder.build();
        KeyPairCheck.requirePair(certificateChain.toPath(), privateKey.toPath());
        return context;
    }
}
