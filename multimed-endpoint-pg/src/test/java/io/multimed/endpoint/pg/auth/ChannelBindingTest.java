package io.multimed.endpoint.pg.auth;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.InputStream;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Channel binding by certificates, which are named after their signature algorithm: {@code openssl req -x509 -newkey rsa:1024 -md5
 * ...}.
 */
class ChannelBindingTest {
    private static X509Certificate certificate(String name) throws Exception {
        try (InputStream pem = Objects.requireNonNull(
                ChannelBindingTest.class.getResourceAsStream("/certificates/" + name + ".pem"), name)) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(pem);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "ec-sha256, SHA-256",
        "ec-sha384, SHA-384",
        "ec-sha512, SHA-512",
        "rsa-sha3-256, SHA3-256",
        "pss-sha256, SHA-256",
        "pss-sha512, SHA-512"
    })
    void isTheCertificateUnderTheHashThatIsSigned(String name, String hash) throws Exception {
        X509Certificate certificate = certificate(name);
        assertArrayEquals(
                MessageDigest.getInstance(hash).digest(certificate.getEncoded()), ChannelBinding.hash(certificate));
    }

    @ParameterizedTest
    @CsvSource({"rsa-md5", "ec-sha1", "pss-sha1"})
    void isSha256WhereThatHashIsBroken(String name) throws Exception {
        X509Certificate certificate = certificate(name);
        assertArrayEquals(
                MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded()),
                ChannelBinding.hash(certificate));
    }

    @Test
    void thereIsNoneWhereNoHashIsSigned() throws Exception {
        assertNull(ChannelBinding.hash(certificate("ed25519")));
    }
}
