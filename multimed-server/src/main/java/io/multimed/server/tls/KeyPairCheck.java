package io.multimed.server.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/** Finds out whether a certificate is that of a private key. TLS libraries notice the contrary only when a client connects. */
final class KeyPairCheck {
    private static final Pattern PKCS8 = Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");
    /** Signatures by the algorithms of keys; a key of another one is not checked. */
    private static final Map<String, String> SIGNATURES =
            Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");

    private static final byte[] SIGNED = "multimed".getBytes(StandardCharsets.UTF_8);

    private KeyPairCheck() {}

    /** @throws SSLException if they do not belong together */
    static void requirePair(Path certificateChain, Path privateKey) throws SSLException {
        try {
            PublicKey known = publicKey(certificateChain);
            String signatures = SIGNATURES.get(known.getAlgorithm());
            Matcher pem = PKCS8.matcher(Files.readString(privateKey, StandardCharsets.ISO_8859_1));
            if (signatures == null || !pem.find()) {
                return;
            }
            PrivateKey key = KeyFactory.getInstance(known.getAlgorithm())
                    .generatePrivate(
                            new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem.group(1))));
            Signature signature = Signature.getInstance(signatures);
            signature.initSign(key);
            signature.update(SIGNED);
            byte[] signed = signature.sign();
            signature.initVerify(known);
            signature.update(SIGNED);
            if (!signature.verify(signed)) {
                throw new SSLException("the certificate is of another key");
            }
        } catch (GeneralSecurityException e) {
            throw new SSLException("the certificate is of another key: " + e.getMessage(), e);
        } catch (IOException e) {
            throw e instanceof SSLException refused ? refused : new SSLException(e.getMessage(), e);
        }
    }

    private static PublicKey publicKey(Path certificateChain) throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(certificateChain)) {
            return CertificateFactory.getInstance("X.509")
                    .generateCertificate(in)
                    .getPublicKey();
        }
    }
}
