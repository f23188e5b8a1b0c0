package io.multimed.endpoint.pg;

import io.multimed.endpoint.pg.backend.Transport;
import io.multimed.model.Freshness;
import io.netty.handler.ssl.SslContext;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How the endpoint behaves.
 *
 * @param listen address and port; port 0 takes a free one
 * @param transport how the loops speak to the kernel
 * @param loops event loops, at least 1
 * @param authentication of clients
 * @param tls what TLS is spoken with; null refuses it
 * @param freshness what a session starts with, unless it chooses
 * @param masterConnections engine connections to the Master for transactions of all clients, shared by all loops
 * @param satelliteConnections likewise to each Satellite
 * @param maxClients connections beyond are refused with 53300
 * @param maxPreparedPerSession named statements one client may prepare
 * @param maxPreparedPerBackend named statements kept in one engine session
 * @param maxUnitBytes a unit of work longer than this is not looked at as a whole; the Master executes it
 * @param authenticationTimeout absolute, from accepting the connection until it is authenticated
 * @param freshnessPatience how long a read waits for a Satellite before the Master takes it
 * @param masterPatience how long a unit waits for a Master that does not answer before it fails with 57P03
 * @param connectionPatience how long a unit waits for an engine connection before it fails with 53300
 * @param clientWriteTimeout how long a client may leave its replies unread while it holds an engine connection
 * @param idleBackend after which an unused engine connection is closed
 */
public record EndpointOptions(
        InetSocketAddress listen,
        Transport transport,
        int loops,
        Authentication authentication,
        @Nullable SslContext tls,
        Freshness freshness,
        int masterConnections,
        int satelliteConnections,
        int maxClients,
        int maxPreparedPerSession,
        int maxPreparedPerBackend,
        int maxUnitBytes,
        Duration authenticationTimeout,
        Duration freshnessPatience,
        Duration masterPatience,
        Duration connectionPatience,
        Duration clientWriteTimeout,
        Duration idleBackend) {

    /** How clients prove who they are. */
    public enum Authentication {
        /** Not at all: whoever reaches the endpoint is who it says it is. */
        TRUST,
        /** SCRAM-SHA-256 against the Master's own roles. */
        SCRAM_SHA_256
    }

    /** Sensible values for {@code loops} loops on this address; everything else can be set with the {@code with} methods. */
    public static EndpointOptions defaults(InetSocketAddress listen) {
        return new EndpointOptions(
                listen,
                Transport.EPOLL.isAvailable() ? Transport.EPOLL : Transport.NIO,
                1,
                Authentication.TRUST,
                null,
                Freshness.STRONG,
                16,
                16,
                10_000,
                10_000,
                1_000,
                256 * 1024,
                Duration.ofSeconds(60),
                Duration.ofMillis(50),
                Duration.ofSeconds(10),
                Duration.ofSeconds(120),
                Duration.ofSeconds(120),
                Duration.ofMinutes(10));
    }
}
