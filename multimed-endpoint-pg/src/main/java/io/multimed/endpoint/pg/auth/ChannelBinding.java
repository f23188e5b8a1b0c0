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
 * The channel to which a SCRAM exchange is bound: the hash of the certificate that the server presented on this connection
 * ({@code tls-server-end-point}, RFC 5929). A man in the middle has to present another certificate, so he cannot relay the
 * exchange.
 */
public final class ChannelBinding {
    static final String TYPE = TlsServerEndpoint.TLS_SERVER_END_POINT;

    private final byte[] hash;

    private ChannelBinding(byte[] hash) {
        this.hash = hash;
    }

    /**
     * Returns the channel binding of a connection.
     *
     * @return null if there is none, because the certificate's signature algorithm names no hash, as with Ed25519. PostgreSQL
     *     offers the mechanism even then, and libpq fails; no client could use it
     */
    public static @Nullable ChannelBinding of(SSLSession session) {
        Certificate[] chain = session.getLocalCertificates();
        byte[] hash = chain != null && chain[0] instanceof X509Certificate server ? hash(server) : null;
        return hash == null ? null : new ChannelBinding(hash);
    }

    byte[] hash() {
        return hash.clone();
    }

    /** Hashes the certificate with the hash algorithm of its signature; with SHA-256 instead of MD5 and SHA-1. */
    static byte @Nullable [] hash(X509Certificate certificate) {
        try {
            String signature = certificate.getSigAlgName();
            if (signature.equals("RSASSA-PSS")) {
                // The library uses SHA-256 for every RSASSA-PSS signature, but the hash is given by the signature's
                // parameters.
                return MessageDigest.getInstance(pssHash(certificate)).digest(certificate.getEncoded());
            }
            // The library uses SHA-256 for unknown algorithms, such as Ed25519.
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
