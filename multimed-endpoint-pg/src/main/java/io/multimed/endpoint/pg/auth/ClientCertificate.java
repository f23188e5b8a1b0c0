package io.multimed.endpoint.pg.auth;

import java.math.BigInteger;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Collectors;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/** The certificate that a client has presented, which was found to be by an accepted authority when TLS began. */
public final class ClientCertificate {
    private final X509Certificate certificate;

    private ClientCertificate(X509Certificate certificate) {
        this.certificate = certificate;
    }

    /** @return null if the client has presented none */
    public static @Nullable ClientCertificate of(SSLSession session) {
        try {
            Certificate[] chain = session.getPeerCertificates();
            return chain.length > 0 && chain[0] instanceof X509Certificate own ? new ClientCertificate(own) : null;
        } catch (SSLPeerUnverifiedException none) {
            return null;
        }
    }

    /** Returns the subject in the form of {@code pg_stat_ssl}. */
    public String subject() {
        return shown(certificate.getSubjectX500Principal());
    }

    /** Returns the issuer in the form of {@code pg_stat_ssl}. */
    public String issuer() {
        return shown(certificate.getIssuerX500Principal());
    }

    public BigInteger serial() {
        return certificate.getSerialNumber();
    }

    /** Returns the parts of a name in the order of the certificate, each behind a slash. */
    private static String shown(X500Principal name) {
        try {
            return new LdapName(name.getName(X500Principal.RFC2253))
                    .getRdns().stream()
                            .map(part -> "/" + part.getType() + "=" + part.getValue())
                            .collect(Collectors.joining());
        } catch (InvalidNameException unreadable) {
            return name.getName(X500Principal.RFC2253);
        }
    }

    /** Returns the subject's distinguished name in the form of RFC 2253, as PostgreSQL compares it. */
    public String distinguishedName() {
        return certificate.getSubjectX500Principal().getName(X500Principal.RFC2253);
    }

    /** Returns the subject's common name, the first if there are several; null if there is none that a role could have. */
    public @Nullable String commonName() {
        try {
            // The order is that of the certificate.
            List<Rdn> parts = new LdapName(distinguishedName()).getRdns();
            return parts.stream()
                    .filter(part -> part.getType().equalsIgnoreCase("CN"))
                    .findFirst()
                    // A name with a zero byte may pretend to be its beginning.
                    .map(part -> part.getValue() instanceof String name && name.indexOf('\0') < 0 ? name : null)
                    .orElse(null);
        } catch (InvalidNameException unreadable) {
            return null;
        }
    }
}
