package io.multimed.endpoint.mysql.config;

import io.multimed.model.Freshness;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Configuration of the endpoint.
 *
 * @param address on which it listens; port 0 selects a free one
 * @param loops number of event loops
 * @param clients largest number of clients at a time
 * @param connections largest number of their connections to the Master; more clients share them
 * @param freshness of sessions that choose none
 * @param tls null if clients cannot have it
 */
public record MysqlEndpointOptions(
        InetSocketAddress address,
        int loops,
        int clients,
        int connections,
        Freshness freshness,
        Waits waits,
        @Nullable MysqlTls tls) {
    /**
     * The longest waits.
     *
     * @param login from a client's connection to its login
     * @param patience of a read for a fresh Satellite; then the Master executes it
     * @param master until the Master shows what Satellites have shown
     */
    public record Waits(Duration login, Duration patience, Duration master) {}

    public MysqlEndpointOptions {
        if (loops < 1 || clients < 1 || connections < loops) {
            throw new IllegalArgumentException(
                    "at least one loop, one client, and one connection for each loop are needed");
        }
    }

    public static MysqlEndpointOptions defaults(InetSocketAddress address) {
        Waits waits = new Waits(Duration.ofSeconds(10), Duration.ofMillis(200), Duration.ofSeconds(10));
        return new MysqlEndpointOptions(address, 1, 10_000, 10_000, Freshness.STRONG, waits, null);
    }

    /** Returns the same with another number of event loops, and of connections to the Master. */
    public MysqlEndpointOptions with(int eventLoops, int mostConnections) {
        return new MysqlEndpointOptions(address, eventLoops, clients, mostConnections, freshness, waits, tls);
    }

    /** Returns the same with another limit for clients, and other rules for reads that choose none. */
    public MysqlEndpointOptions with(int mostClients, Freshness ofReads, Duration patienceOfReads) {
        Waits others = new Waits(waits.login(), patienceOfReads, waits.master());
        return new MysqlEndpointOptions(address, loops, mostClients, connections, ofReads, others, tls);
    }

    /** Returns the same with other TLS. */
    public MysqlEndpointOptions with(@Nullable MysqlTls other) {
        return new MysqlEndpointOptions(address, loops, clients, connections, freshness, waits, other);
    }
}
