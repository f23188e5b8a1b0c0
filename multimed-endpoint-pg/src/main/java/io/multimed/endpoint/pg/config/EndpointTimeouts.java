package io.multimed.endpoint.pg.config;

import java.time.Duration;

/**
 * How long is waited for what.
 *
 * @param authentication absolute, from accepting the connection until it is authenticated
 * @param freshness how long a read waits for a Satellite before the Master takes it
 * @param master how long a unit waits for a Master that does not answer before it fails with 57P03
 * @param connection how long a unit waits for an engine connection before it fails with 53300
 * @param clientProgress how long a client may take nothing of the replies that wait for it, and send nothing of a
 *     message that it has begun while an engine waits for the rest
 * @param idleBackend after which an unused engine connection is closed
 * @param idleTransaction after which a session that is idle in a transaction is ended, if others wait for a connection and
 *     none may be opened any more
 */
public record EndpointTimeouts(
        Duration authentication,
        Duration freshness,
        Duration master,
        Duration connection,
        Duration clientProgress,
        Duration idleBackend,
        Duration idleTransaction) {

    /** What suits most. */
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
