package io.multimed.mariadb.cli.config;

import io.multimed.endpoint.mysql.config.MysqlEndpointOptions;
import io.multimed.model.Freshness;
import io.multimed.model.plan.PlanRequest;
import io.multimed.server.config.ConfigurationKeys;
import io.multimed.server.config.ListenAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The whole configuration, valid by construction.
 *
 * @param plan the requests to the planner
 * @param memory the directory of Satellites' data
 * @param engineBin directory of installed programs; empty for the embedded ones
 * @param metrics listening address for Prometheus; empty for none
 */
public record MariaDbConfiguration(
        Endpoint endpoint,
        PlanRequest plan,
        Path memory,
        Optional<Path> engineBin,
        Reads reads,
        Optional<ListenAddress> metrics) {
    /** @param maxClients largest number of clients at a time */
    public record Endpoint(ListenAddress listen, int maxClients) {}

    /**
     * Reads of sessions that choose nothing.
     *
     * @param patience longest wait for a fresh Satellite
     */
    public record Reads(Freshness freshness, Duration patience) {}

    /** The defaults, which apply where neither the file nor the command line has a value. */
    public static final MariaDbConfiguration STANDARD = standard();

    /** Keys that a reload changes. */
    private static final List<String> CHANGEABLE = List.of("endpoint.max_clients", "reads.");

    private static MariaDbConfiguration standard() {
        MysqlEndpointOptions endpoint = MysqlEndpointOptions.defaults(new InetSocketAddress(0));
        return new MariaDbConfiguration(
                new Endpoint(new ListenAddress("127.0.0.1", 7306), endpoint.clients()),
                PlanRequest.DEFAULT,
                Path.of("/dev/shm"),
                Optional.empty(),
                new Reads(endpoint.freshness(), endpoint.waits().patience()),
                Optional.of(new ListenAddress("127.0.0.1", 7433)));
    }

    /** Returns the endpoint's options with what this configuration says about them. */
    public MysqlEndpointOptions applyTo(MysqlEndpointOptions options) {
        return options.with(endpoint.maxClients, reads.freshness, reads.patience);
    }

    /** Returns this configuration with everything from another one that a running instance can change. */
    MariaDbConfiguration changedTo(MariaDbConfiguration wanted) {
        return new MariaDbConfiguration(
                new Endpoint(endpoint.listen, wanted.endpoint.maxClients),
                plan,
                memory,
                engineBin,
                wanted.reads,
                metrics);
    }

    /** Whether a reload changes the key. */
    public static boolean isChangeable(String key) {
        return CHANGEABLE.stream().anyMatch(key::startsWith);
    }

    /** Returns the values of all keys. A value that is not there is empty. */
    public Map<String, String> keys() {
        Map<String, String> keys = new TreeMap<>();
        keys.put("endpoint.listen", endpoint.listen.toString());
        keys.put("endpoint.max_clients", Integer.toString(endpoint.maxClients));
        keys.put("satellites.count", ConfigurationKeys.number(plan.satellites()));
        keys.put("satellites.memory_directory", memory.toString());
        keys.put("engine.bin", engineBin.map(Path::toString).orElse(""));
        keys.put("middleware.cores", ConfigurationKeys.number(plan.middlewareCores()));
        keys.put("nodes.master.cores", ConfigurationKeys.number(plan.masterCores()));
        ConfigurationKeys.settings(keys, "satellite", plan.satelliteSettings());
        ConfigurationKeys.nodes(keys, plan.nodes());
        ConfigurationKeys.freshness(keys, reads.freshness, reads.patience);
        keys.put("metrics.listen", metrics.map(ListenAddress::toString).orElse("off"));
        return keys;
    }
}
