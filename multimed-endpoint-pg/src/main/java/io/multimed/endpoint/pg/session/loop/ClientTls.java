package io.multimed.endpoint.pg.session.loop;

import io.multimed.endpoint.pg.auth.ClientCertificate;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * The encryption of a client's connection, in the words of {@code pg_stat_ssl}.
 *
 * @param version the protocol, for example {@code TLSv1.3}
 * @param cipher OpenSSL's name of the cipher suite, which PostgreSQL shows
 * @param bits length of the cipher's key
 * @param certificate of the client; null if it has presented none
 */
public record ClientTls(
        String version, String cipher, int bits, @Nullable ClientCertificate certificate) {
    private static final int LONG_KEY = 256;
    private static final int SHORT_KEY = 128;

    /** Returns the encryption that was negotiated. */
    public static ClientTls of(SSLSession session) {
        String suite = session.getCipherSuite();
        return new ClientTls(
                session.getProtocol(),
                openSslName(suite),
                // All suites of TLS 1.2 and 1.3 with shorter keys than 128 bits are disabled in Java.
                suite.contains("_128_") ? SHORT_KEY : LONG_KEY,
                ClientCertificate.of(session));
    }

    /**
     * Returns OpenSSL's name of a cipher suite (manual of openssl-ciphers, "Cipher suite names"). Since TLS 1.3 it is the standard
     * name.
     */
    static String openSslName(String suite) {
        if (!suite.contains("_WITH_")) {
            return suite;
        }
        return suite.replaceFirst("^TLS_", "")
                .replace("_WITH_", "-")
                .replace("AES_128_", "AES128-")
                .replace("AES_256_", "AES256-")
                .replace("AES128-CBC_", "AES128-")
                .replace("AES256-CBC_", "AES256-")
                .replace("CHACHA20_POLY1305_SHA256", "CHACHA20-POLY1305")
                .replace('_', '-')
                .replaceFirst("^RSA-", "");
    }
}
