package io.multimed.endpoint.mysql.config;

import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * Configuration of the endpoint.
 *
 * @param address on which it listens; port 0 selects a free one
 * @param loops number of event loops
 * @param clients largest number of clients at a time
 * @param login longest time from a client's connection to its login
 * @param freshness longest wait of a read for a fresh Satellite; then the Master executes it
 * @param master longest wait until the Master shows what Satellites have shown
 */
public record MysqlEndpointOptions(
        InetSocketAddress address, int loops, int clients, Duration login, Duration freshness, Duration master) {
    public MysqlEndpointOptions {
        if (loops < 1 || clients < 1) {
            throw new IllegalArgumentException("at least one loop and one client are needed");
        }
    }

    public static MysqlEndpointOptions defaults(InetSocketAddress address) {
        return new MysqlEndpointOptions(
                address, 1, 10_000, Duration.ofSeconds(10), Duration.ofMillis(200), Duration.ofSeconds(10));
    }
}
