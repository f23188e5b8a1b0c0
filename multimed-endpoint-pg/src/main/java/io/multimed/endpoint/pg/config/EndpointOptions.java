package io.multimed.endpoint.pg.config;

import io.multimed.endpoint.pg.backend.Transport;
import io.multimed.model.Freshness;
import io.netty.handler.ssl.SslContext;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How the endpoint behaves.
 *
 * @param listening where, and with what
 * @param login how clients get in
 * @param freshness what a session starts with, unless it chooses
 * @param nodes what is particular to those behind it
 */
public record EndpointOptions(
        Listening listening,
        Login login,
        Freshness freshness,
        EndpointLimits limits,
        EndpointTimeouts timeouts,
        NodeTraits nodes) {

    /**
     * @param address with its port; port 0 takes a free one
     * @param transport how the loops speak to the kernel
     * @param loops event loops, at least 1
     * @param busyPoll how long a loop that finds nothing to do asks again before it sleeps; zero for never
     */
    public record Listening(InetSocketAddress address, Transport transport, int loops, Duration busyPoll) {}

    /**
     * @param authentication of clients
     * @param tls what TLS is spoken with; null refuses it
     * @param plaintext who need not speak TLS
     * @param adminUsers who may do everything in the admin database, apart from superusers
     * @param statsUsers who sees everything there
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
        /** Only those on this machine, by a loopback address. */
        LOOPBACK,
        NOBODY
    }

    /**
     * @param tablespaces whether new ones may be created: not where Satellites would use the Master's directory
     * @param settings what some nodes are to have otherwise than others, in lower case
     */
    public record NodeTraits(boolean tablespaces, Set<String> settings) {}

    /** How clients prove who they are. */
    public enum Authentication {
        /** Not at all: whoever reaches the endpoint is who it says it is. */
        TRUST,
        /** SCRAM-SHA-256 against the Master's own roles. */
        SCRAM_SHA_256
    }

    /** Sensible values for one loop on this address. */
    public static EndpointOptions defaults(InetSocketAddress address) {
        Transport transport = Transport.EPOLL.isAvailable() ? Transport.EPOLL : Transport.NIO;
        return new EndpointOptions(
                new Listening(address, transport, 1, Duration.ZERO),
                new Login(Authentication.TRUST, null, Plaintext.ANYBODY, Set.of(), Set.of()),
                Freshness.STRONG,
                EndpointLimits.DEFAULT,
                EndpointTimeouts.DEFAULT,
                new NodeTraits(true, Set.of()));
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
        return new EndpointOptions(listening, login, freshness, other, timeouts, nodes);
    }

    public EndpointOptions withTimeouts(EndpointTimeouts other) {
        return new EndpointOptions(listening, login, freshness, limits, other, nodes);
    }

    private EndpointOptions with(Listening otherListening, Login otherLogin) {
        return new EndpointOptions(otherListening, otherLogin, freshness, limits, timeouts, nodes);
    }
}
