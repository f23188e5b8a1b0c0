package io.multimed.server.config;

import io.multimed.endpoint.pg.config.ClientLimits.Limit;
import io.multimed.endpoint.pg.config.RouteRule;
import io.multimed.model.Freshness;
import io.multimed.model.FreshnessWords;
import io.multimed.model.NodeId;
import io.multimed.model.plan.NodeRequest;
import java.net.URI;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A configuration as text, key by key, for people and for comparisons. */
public final class ConfigurationKeys {
    private static final String NONE = "";

    /** Keys, or the beginnings of keys, that a reload changes. */
    private static final List<String> CHANGEABLE = List.of(
            "endpoint.auth",
            "endpoint.hba_file",
            "endpoint.ident_file",
            "endpoint.tls.",
            "endpoint.max_clients",
            "endpoint.admin_users",
            "endpoint.stats_users",
            "routes",
            "pools.master",
            "pools.satellite",
            "pools.transactions",
            "pools.kept_sessions",
            "pools.idle_in_transaction",
            "limits.",
            "reads.freshness",
            "reads.eventual_lag",
            "reads.patience",
            "reads.safe_functions",
            "reads.coalesce",
            "log.slow",
            "log.literals",
            "shutdown.drain");

    private ConfigurationKeys() {}

    /** A key whose value differs between two configurations. */
    public record Change(String key, String before, String after) {
        @Override
        public String toString() {
            return key + ": " + shown(before) + " -> " + shown(after);
        }

        private static String shown(String value) {
            return value.isEmpty() ? "(none)" : value;
        }
    }

    /** Whether a reload changes the key. There may be reasons why it does not for some value. */
    public static boolean isChangeable(String key) {
        return CHANGEABLE.stream().anyMatch(key::startsWith);
    }

    /** Returns the keys whose values differ. */
    public static List<Change> changes(Configuration before, Configuration after) {
        return changes(of(before), of(after));
    }

    /** Returns the keys whose values differ. A value that is not there is empty. */
    public static List<Change> changes(Map<String, String> old, Map<String, String> now) {
        Set<String> keys = new TreeSet<>(old.keySet());
        keys.addAll(now.keySet());
        List<Change> changes = new ArrayList<>();
        for (String key : keys) {
            Change change = new Change(key, old.getOrDefault(key, NONE), now.getOrDefault(key, NONE));
            if (!change.before().equals(change.after())) {
                changes.add(change);
            }
        }
        return changes;
    }

    /** Returns the values of all keys. A value that is not there is empty. */
    public static Map<String, String> of(Configuration configuration) {
        Map<String, String> keys = new TreeMap<>();
        Configuration.Endpoint endpoint = configuration.endpoint();
        keys.put("endpoint.listen", endpoint.listen().toString());
        endpoint.unix().ifPresent(unix -> {
            keys.put("endpoint.unix_socket_dir", unix.directory().toString());
            keys.put("endpoint.unix_socket_mode", PosixFilePermissions.toString(unix.permissions()));
            unix.group().ifPresent(group -> keys.put("endpoint.unix_socket_group", group));
        });
        keys.put("endpoint.auth", word(endpoint.auth()));
        keys.put("endpoint.max_clients", Integer.toString(endpoint.maxClients()));
        keys.put("endpoint.admin_users", names(endpoint.adminUsers()));
        keys.put("endpoint.stats_users", names(endpoint.statsUsers()));
        endpoint.access().ifPresent(access -> {
            keys.put("endpoint.hba_file", access.file().toString());
            access.maps().ifPresent(file -> keys.put("endpoint.ident_file", file.toString()));
        });
        endpoint.tls().ifPresent(tls -> {
            keys.put("endpoint.tls.certificate", tls.certificate().toString());
            keys.put("endpoint.tls.key", tls.key().toString());
            tls.clientCa().ifPresent(file -> keys.put("endpoint.tls.client_ca", file.toString()));
            keys.put("endpoint.tls.required", word(tls.required()));
        });
        Configuration.Satellites satellites = configuration.satellites();
        keys.put("satellites.count", number(satellites.count()));
        keys.put("satellites.storage", word(satellites.storage()));
        keys.put("satellites.memory_directory", satellites.memoryDirectory().toString());
        keys.put("satellites.hold_vacuum", Durations.text(satellites.holdVacuum()));
        keys.put("satellites.comparison", Integer.toString(satellites.comparison()));
        keys.put("satellites.capture", word(satellites.capture()));
        settings(keys, "satellite", satellites.settings());
        configuration.partial().forEach(partial -> partial(keys, partial));
        keys.put("engine.bin", configuration.engineBin().map(Path::toString).orElse(NONE));
        keys.put("middleware.cores", number(configuration.middleware().cores()));
        keys.put(
                "middleware.busy_poll",
                Durations.text(configuration.middleware().busyPoll()));
        keys.put("nodes.master.cores", number(configuration.masterCores()));
        nodes(keys, configuration.nodes());
        List<RouteRule> routes = configuration.routes();
        for (RouteRule rule : routes) {
            keys.put(rule.name(), "{ " + rule.match() + " } to " + rule.to() + " otherwise " + word(rule.otherwise()));
        }
        Configuration.Pools pools = configuration.pools();
        keys.put("pools.master", number(pools.master()));
        keys.put("pools.satellite", number(pools.satellite()));
        keys.put("pools.transactions", Integer.toString(pools.transactions()));
        keys.put("pools.kept_sessions", Integer.toString(pools.keptSessions()));
        keys.put("pools.idle_in_transaction", Durations.text(pools.idleInTransaction()));
        keys.put("pools.reads_per_connection", Integer.toString(pools.readsPerConnection()));
        limits(keys, "limits.", configuration.limits().general());
        configuration.limits().users().forEach((name, limits) -> limits(keys, "limits.users." + name + ".", limits));
        configuration
                .limits()
                .databases()
                .forEach((name, limits) -> limits(keys, "limits.databases." + name + ".", limits));
        reads(keys, configuration.reads());
        keys.put(
                "metrics.listen",
                configuration.metrics().map(ListenAddress::toString).orElse("off"));
        Configuration.Console console = configuration.console();
        keys.put("metrics.console", Boolean.toString(console.shown()));
        console.password().ifPresent(file -> keys.put("metrics.password_file", file.toString()));
        keys.put("metrics.tls", Boolean.toString(console.tls()));
        otlp(keys, configuration.otlp());
        keys.put("log.format", word(configuration.log().format()));
        keys.put("log.slow", Durations.text(configuration.log().slow()));
        keys.put("log.literals", Boolean.toString(configuration.log().literals()));
        keys.put("shutdown.drain", Durations.text(configuration.drain()));
        return keys;
    }

    private static void otlp(Map<String, String> keys, Configuration.Otlp otlp) {
        keys.put("otlp.endpoint", otlp.endpoint().map(URI::toString).orElse("off"));
        // Values may be secret.
        keys.put("otlp.headers", String.join(", ", new TreeSet<>(otlp.headers().keySet())));
        keys.put("otlp.metrics", Durations.text(otlp.metrics()));
        keys.put("otlp.traces", Boolean.toString(otlp.traces()));
    }

    private static void limits(Map<String, String> keys, String prefix, Map<Limit, Long> limits) {
        limits.forEach((limit, value) -> keys.put(
                prefix + limit.key(),
                limit.isTime() ? Durations.text(Duration.ofMillis(value)) : Long.toString(value)));
    }

    /** Adds the keys for reads of sessions that choose nothing. */
    public static void freshness(Map<String, String> keys, Freshness freshness, Duration patience) {
        keys.put("reads.freshness", FreshnessWords.of(freshness));
        if (freshness instanceof Freshness.Eventual(var lag)) {
            keys.put("reads.eventual_lag", Durations.text(lag));
        }
        keys.put("reads.patience", Durations.text(patience));
    }

    private static void reads(Map<String, String> keys, Configuration.Reads reads) {
        freshness(keys, reads.freshness(), reads.patience());
        keys.put("reads.safe_functions", names(reads.safeFunctions()));
        keys.put("reads.coalesce", Boolean.toString(reads.coalesce()));
        keys.put("reads.long_reads_yield", Boolean.toString(reads.longReadsYield()));
    }

    private static void partial(Map<String, String> keys, PartialSatellite satellite) {
        String name = "satellites." + satellite.id().name() + ".";
        keys.put(name + "database", satellite.database());
        keys.put(name + "tables", names(satellite.tables()));
        keys.put(name + "columns", new TreeMap<>(satellite.columns()).toString());
        keys.put(name + "queries", String.join("; ", satellite.queries()));
        keys.put(name + "indexes", String.join("; ", satellite.indexes()));
        keys.put(name + "serves", word(satellite.serves()));
        keys.put(name + "cores", number(satellite.cores()));
    }

    /** Adds the keys of requests for single nodes. */
    public static void nodes(Map<String, String> keys, Map<NodeId, NodeRequest> nodes) {
        for (Map.Entry<NodeId, NodeRequest> node : nodes.entrySet()) {
            String name = node.getKey().name();
            if (!node.getValue().cpus().isEmpty()) {
                keys.put("nodes." + name + ".cpus", node.getValue().cpus().toString());
            }
            settings(keys, name, node.getValue().settings());
        }
    }

    /** Adds the keys of the settings of one node's engine; {@code satellite} stands for all Satellites. */
    public static void settings(Map<String, String> keys, String node, Map<String, String> settings) {
        settings.forEach((name, value) -> keys.put("nodes." + node + ".settings." + name, value));
    }

    /** Returns a number as text; empty if there is none. */
    public static String number(OptionalInt number) {
        return number.isPresent() ? Integer.toString(number.getAsInt()) : NONE;
    }

    private static String names(Collection<String> names) {
        return names.stream().sorted().collect(Collectors.joining(", "));
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the default of a key; empty if it has none. */
    public static Optional<String> standard(String key) {
        return Optional.ofNullable(of(Configuration.STANDARD).get(key));
    }
}
