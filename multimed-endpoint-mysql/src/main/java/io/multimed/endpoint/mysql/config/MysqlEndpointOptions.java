package io.multimed.endpoint.mysql.config;

import io.multimed.model.Freshness;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * Configuration of the endpoint.
 *
 * @param address on which it listens; port 0 selects a free one
 * @param loops number of event loops
 * @param clients largest number of clients at a time
 * @param connections largest number of their connections to the Master; more clients share them
 * @param login longest time from a client's connection to its login
 * @param freshness of sessions that choose none
 * @param patience longest wait of a read for a fresh Satellite; then the Master executes it
 * @param master longest wait until the Master shows what Satellites have shown
 */
public record MysqlEndpointOptions(
        InetSocketAddress address,
        int loops,
        int clients,
        int connections,
        Duration login,
        Freshness freshness,
        Duration patience,
        Duration master) {
    public MysqlEndpointOptions {
        if (loops < 1 || clients < 1 || connections < loops) {
            throw new IllegalArgumentException(
                    "at least one loop, one client, and one connection for each loop are needed");
        }
    }

    public static MysqlEndpointOptions defaults(InetSocketAddress address) {
        return new MysqlEndpointOptions(
                address,
                1,
                10_000,
                10_000,
                Duration.ofSeconds(10),
                Freshness.STRONG,
                Duration.ofMillis(200),
                Duration.ofSeconds(10));
    }

    /** Returns the same with another number of event loops, and of connections to the Master. */
    public MysqlEndpointOptions with(int eventLoops, int mostConnections) {
        return new MysqlEndpointOptions(
                address, eventLoops, clients, mostConnections, login, freshness, patience, master);
    }

    /** Returns the same with another limit for clients, and other rules for reads that choose none. */
    public MysqlEndpointOptions with(int mostClients, Freshness ofReads, Duration patienceOfReads) {
        return new MysqlEndpointOptions(
                address, loops, mostClients, connections, login, ofReads, patienceOfReads, master);
    }
}
