package io.multimed.endpoint.pg.config;

import java.time.Duration;

/**
 * Timeouts of the endpoint.
 *
 * @param authentication absolute, from accepting the connection until it is authenticated
 * @param freshness time that a read waits for a Satellite before the Master executes it
 * @param master time that a unit waits for a Master that does not answer before it fails with 57P03
 * @param connection time that a unit waits for an engine connection before it fails with 53300
 * @param clientProgress time after which a client is closed if it accepts none of its pending replies, or sends nothing of a
 *     message that it has begun while an engine waits for the rest
 * @param idleBackend time after which an unused engine connection is closed
 * @param idleTransaction time after which a session that is idle in a transaction is ended, if others wait for a connection and
 *     no more may be opened
 */
public record EndpointTimeouts(
        Duration authentication,
        Duration freshness,
        Duration master,
        Duration connection,
        Duration clientProgress,
        Duration idleBackend,
        Duration idleTransaction) {

    /** Defaults that suit most applications. */
    public static final EndpointTimeouts DEFAULT = new EndpointTimeouts(
            Duration.ofSeconds(60),
            Duration.ofMillis(50),
            Duration.ofSeconds(10),
            Duration.ofSeconds(120),
            Duration.ofSeconds(120),
            Duration.ofMinutes(10),
            Duration.ofSeconds(60));

    public EndpointTimeouts withAuthentication(Duration duration) {
        return new EndpointTimeouts(
                duration, freshness, master, connection, clientProgress, idleBackend, idleTransaction);
    }

    public EndpointTimeouts withFreshness(Duration duration) {
        return new EndpointTimeouts(
                authentication, duration, master, connection, clientProgress, idleBackend, idleTransaction);
    }

    public EndpointTimeouts withMaster(Duration duration) {
        return new EndpointTimeouts(
                authentication, freshness, duration, connection, clientProgress, idleBackend, idleTransaction);
    }

    public EndpointTimeouts withConnection(Duration duration) {
        return new EndpointTimeouts(
                authentication, freshness, master, duration, clientProgress, idleBackend, idleTransaction);
    }

    public EndpointTimeouts withClientProgress(Duration duration) {
        return new EndpointTimeouts(
                authentication, freshness, master, connection, duration, idleBackend, idleTransaction);
    }

    public EndpointTimeouts withIdleTransaction(Duration duration) {
        return new EndpointTimeouts(
                authentication, freshness, master, connection, clientProgress, idleBackend, duration);
    }
}
