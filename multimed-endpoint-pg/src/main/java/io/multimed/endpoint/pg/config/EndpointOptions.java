package io.multimed.endpoint.pg.config;

import io.multimed.endpoint.pg.backend.Transport;
import io.multimed.model.Freshness;
import io.netty.handler.ssl.SslContext;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Options of the endpoint.
 *
 * @param listening listening address and event loops
 * @param login authentication and encryption of clients
 * @param freshness freshness with which a session starts
 * @param nodes properties of the nodes behind the endpoint
 * @param routes rules that send reads to nodes
 */
public record EndpointOptions(
        Listening listening,
        Login login,
        Freshness freshness,
        EndpointLimits limits,
        EndpointTimeouts timeouts,
        NodeTraits nodes,
        RouteRules routes) {

    /**
     * Listening address and event loops.
     *
     * @param address with its port; port 0 selects a free one
     * @param transport the system interface of the loops
     * @param loops number of event loops, at least 1
     * @param busyPoll time for which a loop that finds nothing to do keeps polling before it sleeps; zero for never
     */
    public record Listening(InetSocketAddress address, Transport transport, int loops, Duration busyPoll) {}

    /**
     * Authentication and encryption of clients.
     *
     * @param authentication of clients
     * @param tls context for TLS; null refuses TLS
     * @param plaintext clients that may connect without TLS
     * @param adminUsers roles, besides superusers, that may do everything in the admin database
     * @param statsUsers roles that see everything there
     */
    public record Login(
            Authentication authentication,
            @Nullable SslContext tls,
            Plaintext plaintext,
            Set<String> adminUsers,
            Set<String> statsUsers) {
        Login with(Authentication other) {
            return new Login(other, tls, plaintext, adminUsers, statsUsers);
        }

        Login with(SslContext other) {
            return new Login(authentication, other, plaintext, adminUsers, statsUsers);
        }
    }

    /** Clients that may connect without TLS; others are refused as by a {@code pg_hba.conf} with hostssl only. */
    public enum Plaintext {
        ANYBODY,
        /** Only clients on this machine, by a loopback address. */
        LOOPBACK,
        NOBODY
    }

    /**
     * Properties of the nodes that restrict what clients may do.
     *
     * @param tablespaces whether new tablespaces may be created; false where Satellites would use the Master's directory
     * @param settings names, in lower case, of the parameters that differ between nodes by configuration
     */
    public record NodeTraits(boolean tablespaces, Set<String> settings) {}

    /** Methods by which clients authenticate. */
    public enum Authentication {
        /** No authentication: any client may claim any role. */
        TRUST,
        /** SCRAM-SHA-256 against the Master's own roles. */
        SCRAM_SHA_256
    }

    /** Returns default options for one loop on this address. */
    public static EndpointOptions defaults(InetSocketAddress address) {
        Transport transport = Transport.EPOLL.isAvailable() ? Transport.EPOLL : Transport.NIO;
        return new EndpointOptions(
                new Listening(address, transport, 1, Duration.ZERO),
                new Login(Authentication.TRUST, null, Plaintext.ANYBODY, Set.of(), Set.of()),
                Freshness.STRONG,
                EndpointLimits.DEFAULT,
                EndpointTimeouts.DEFAULT,
                new NodeTraits(true, Set.of()),
                RouteRules.NONE);
    }

    public EndpointOptions withAuthentication(Authentication other) {
        return with(listening, login.with(other));
    }

    public EndpointOptions withTls(SslContext other) {
        return with(listening, login.with(other));
    }

    public EndpointOptions withPlaintext(Plaintext other) {
        return with(
                listening,
                new Login(login.authentication(), login.tls(), other, login.adminUsers(), login.statsUsers()));
    }

    public EndpointOptions withAdminUsers(Set<String> admins, Set<String> stats) {
        return with(listening, new Login(login.authentication(), login.tls(), login.plaintext(), admins, stats));
    }

    public EndpointOptions withLoops(int other) {
        return with(new Listening(listening.address(), listening.transport(), other, listening.busyPoll()), login);
    }

    public EndpointOptions withLimits(EndpointLimits other) {
        return new EndpointOptions(listening, login, freshness, other, timeouts, nodes, routes);
    }

    public EndpointOptions withTimeouts(EndpointTimeouts other) {
        return new EndpointOptions(listening, login, freshness, limits, other, nodes, routes);
    }

    private EndpointOptions with(Listening otherListening, Login otherLogin) {
        return new EndpointOptions(otherListening, otherLogin, freshness, limits, timeouts, nodes, routes);
    }
}
