package io.multimed.tests.server;

import io.multimed.endpoint.pg.client.TlsNegotiation;
import io.multimed.server.startup.StartException;
import io.multimed.server.tls.TlsFiles;
import io.multimed.testkit.tls.TestCertificate;
import io.netty.handler.ssl.SslContext;
import java.util.Optional;

/** TLS contexts of endpoints in the test's own JVM. */
public final class ServedCertificate {
    private ServedCertificate() {}

    /** Returns a context with a certificate that nobody else needs. */
    public static SslContext context() throws Exception {
        try (TestCertificate made = TestCertificate.make("-keyalg", "EC")) {
            return context(made);
        }
    }

    public static SslContext context(TestCertificate certificate) throws StartException {
        return new TlsFiles(certificate.certificate(), certificate.key(), Optional.empty())
                .context("the test's certificate", TlsNegotiation.PROTOCOL);
    }
}
