package io.multimed.endpoint.pg.hba;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rule.
 *
 * @param address null for local connections
 * @param options of the method
 */
public record HbaRule(
        Path file,
        int line,
        Connections connections,
        List<HbaName> databases,
        List<HbaName> users,
        @Nullable HbaAddress address,
        Method method,
        Options options) {
    /** The connections that a rule concerns. */
    enum Connections {
        /** Through a Unix-domain socket. */
        LOCAL,
        HOST,
        HOST_TLS,
        HOST_PLAIN
    }

    /** Methods by which a client proves who it is. */
    public enum Method {
        TRUST,
        REJECT,
        SCRAM_SHA_256,
        /** The name in the client's certificate, which is checked for other methods too if the options say so. */
        CERT,
        /** The user of the operating system at the other end of a Unix-domain socket. */
        PEER
    }

    /** The demand for a certificate of the client. */
    public enum ClientCertificate {
        NONE,
        /** A certificate by one of the accepted authorities. */
        VERIFY_CA,
        /** Also with the name of the role, or a name that the map allows to act as that role. */
        VERIFY_FULL
    }

    /**
     * Options of a method.
     *
     * @param wholeName whether the distinguished name counts instead of the common name
     * @param map the name of the map of users; null if names must be equal
     */
    public record Options(
            ClientCertificate certificate,
            boolean wholeName,
            @Nullable String map) {
        static final Options NONE = new Options(ClientCertificate.NONE, false, null);
    }

    boolean concerns(HbaLogin login) {
        // The address comes last, since the name of a host may have to be asked for.
        return databases.stream().anyMatch(name -> name.isDatabaseOf(login))
                && users.stream().anyMatch(name -> name.isUserOf(login))
                && concernsConnection(login);
    }

    private boolean concernsConnection(HbaLogin login) {
        if (login.address() == null || address == null) {
            return login.address() == null && address == null;
        }
        return switch (connections) {
                    case LOCAL -> false;
                    case HOST -> true;
                    case HOST_TLS -> login.encrypted();
                    case HOST_PLAIN -> !login.encrypted();
                }
                && address.contains(login.address());
    }
}
