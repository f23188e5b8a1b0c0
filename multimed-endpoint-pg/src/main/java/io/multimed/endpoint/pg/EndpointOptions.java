package io.multimed.endpoint.pg;

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
 * @param listen address and port; port 0 takes a free one
 * @param transport how the loops speak to the kernel
 * @param loops event loops, at least 1
 * @param busyPoll how long a loop that finds nothing to do asks again before it sleeps; zero for never
 * @param authentication of clients
 * @param tls what TLS is spoken with; null refuses it
 * @param freshness what a session starts with, unless it chooses
 * @param tablespaces whether new ones may be created: not where Satellites would use the Master's directory
 * @param settingsOfNodes what some nodes are to have otherwise than others, in lower case
 */
public record EndpointOptions(
        InetSocketAddress listen,
        Transport transport,
        int loops,
        Duration busyPoll,
        Authentication authentication,
        @Nullable SslContext tls,
        Freshness freshness,
        EndpointLimits limits,
        EndpointTimeouts timeouts,
        boolean tablespaces,
        Set<String> settingsOfNodes) {

    /** How clients prove who they are. */
    public enum Authentication {
        /** Not at all: whoever reaches the endpoint is who it says it is. */
        TRUST,
        /** SCRAM-SHA-256 against the Master's own roles. */
        SCRAM_SHA_256
    }

    /** Sensible values for one loop on this address. */
    public static EndpointOptions defaults(InetSocketAddress listen) {
        return new EndpointOptions(
                listen,
                Transport.EPOLL.isAvailable() ? Transport.EPOLL : Transport.NIO,
                1,
                Duration.ZERO,
                Authentication.TRUST,
                null,
                Freshness.STRONG,
                EndpointLimits.DEFAULT,
                EndpointTimeouts.DEFAULT,
                true,
                Set.of());
    }

    public EndpointOptions withAuthentication(Authentication other) {
        return new EndpointOptions(
                listen,
                transport,
                loops,
                busyPoll,
                other,
                tls,
                freshness,
                limits,
                timeouts,
                tablespaces,
                settingsOfNodes);
    }

    public EndpointOptions withTls(SslContext other) {
        return new EndpointOptions(
                listen,
                transport,
                loops,
                busyPoll,
                authentication,
                other,
                freshness,
                limits,
                timeouts,
                tablespaces,
                settingsOfNodes);
    }

    public EndpointOptions withLoops(int other) {
        return new EndpointOptions(
                listen,
                transport,
                other,
                busyPoll,
                authentication,
                tls,
                freshness,
                limits,
                timeouts,
                tablespaces,
                settingsOfNodes);
    }

    public EndpointOptions withLimits(EndpointLimits other) {
        return new EndpointOptions(
                listen,
                transport,
                loops,
                busyPoll,
                authentication,
                tls,
                freshness,
                other,
                timeouts,
                tablespaces,
                settingsOfNodes);
    }

    public EndpointOptions withTimeouts(EndpointTimeouts other) {
        return new EndpointOptions(
                listen,
                transport,
                loops,
                busyPoll,
                authentication,
                tls,
                freshness,
                limits,
                other,
                tablespaces,
                settingsOfNodes);
    }
}
