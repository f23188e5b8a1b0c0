package io.multimed.endpoint.pg.auth;

import com.ongres.scram.common.util.TlsServerEndpoint;
import java.io.IOException;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.spec.PSSParameterSpec;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * What a SCRAM exchange is bound to: the hash of the certificate that the server showed on this connection
 * ({@code tls-server-end-point}, RFC 5929). Nobody in between, who has to show another one, can pass the exchange on.
 */
public final class ChannelBinding {
    static final String TYPE = TlsServerEndpoint.TLS_SERVER_END_POINT;

    private final byte[] hash;

    private ChannelBinding(byte[] hash) {
        this.hash = hash;
    }

    /**
     * That of a connection.
     *
     * @return null if there is none: its certificate is signed without a hash of its own, as with Ed25519. PostgreSQL
     *     offers the mechanism all the same, and libpq then fails; nobody could use it
     */
    public static @Nullable ChannelBinding of(SSLSession session) {
        Certificate[] chain = session.getLocalCertificates();
        byte[] hash = chain != null && chain[0] instanceof X509Certificate server ? hash(server) : null;
        return hash == null ? null : new ChannelBinding(hash);
    }

    byte[] hash() {
        return hash.clone();
    }

    /** With the hash of the signature, and SHA-256 for MD5 and SHA-1. */
    static byte @Nullable [] hash(X509Certificate certificate) {
        try {
            String signature = certificate.getSigAlgName();
            if (signature.equals("RSASSA-PSS")) {
                // The library takes SHA-256 for all of these; their parameters say which hash it is.
                return MessageDigest.getInstance(pssHash(certificate)).digest(certificate.getEncoded());
            }
            // The library takes SHA-256 for what it does not know, such as Ed25519.
            if (!signature.contains("with")) {
                return null;
            }
            byte[] hash = TlsServerEndpoint.getChannelBindingData(certificate);
            return hash.length == 0 ? null : hash;
        } catch (GeneralSecurityException | IOException unknown) {
            return null;
        }
    }

    private static String pssHash(X509Certificate certificate) throws GeneralSecurityException, IOException {
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("RSASSA-PSS");
        parameters.init(certificate.getSigAlgParams());
        String hash = parameters.getParameterSpec(PSSParameterSpec.class).getDigestAlgorithm();
        return hash.equals("SHA-1") ? "SHA-256" : hash;
    }
}
