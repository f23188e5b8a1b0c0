package io.multimed.endpoint.mysql.backend;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import javax.net.ssl.SSLException;

/**
 * TLS on the way to an engine, for accounts that require it. The engine's certificate is not verified: other users cannot enter the
 * directory of its socket.
 */
final class EngineTls {
    static final SslContext CONTEXT = make();

    private EngineTls() {}

    private static SslContext make() {
        try {
            return SslContextBuilder.forClient()
                    .trustManager(InsecureTrustManagerFactory.INSTANCE)
                    .endpointIdentificationAlgorithm(null)
                    .build();
        } catch (SSLException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
