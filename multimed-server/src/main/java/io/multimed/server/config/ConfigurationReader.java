package io.multimed.server.config;

import static io.multimed.server.config.TomlValues.duration;
import static io.multimed.server.config.TomlValues.path;
import static io.multimed.server.config.TomlValues.word;

import io.multimed.engine.postgresql.writeset.CaptureKind;
import io.multimed.model.Freshness;
import io.multimed.model.NodeId;
import io.multimed.model.plan.NodeRequest;
import io.multimed.model.plan.PartRequest;
import io.multimed.model.plan.PlanRequest;
import io.multimed.model.plan.Planner;
import io.multimed.model.plan.Storage;
import io.multimed.server.config.Configuration.Endpoint;
import io.multimed.server.config.Configuration.Log;
import io.multimed.server.config.Configuration.LogFormat;
import io.multimed.server.config.Configuration.Middleware;
import io.multimed.server.config.Configuration.Pools;
import io.multimed.server.config.Configuration.Reads;
import io.multimed.server.config.Configuration.Satellites;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Turns {@code multimed.toml} and the command line into a {@link Configuration}, or reports everything that is wrong. */
public final class ConfigurationReader {
    /** Largest limit for clients. */
    public static final int MOST_CLIENTS = 100_000;

    private static final int MOST_POOLED = 1_000;
    private static final int MOST_OPEN = 10_000;
    /** Largest number of cores that can be asked for. */
    public static final int MOST_CORES = 4_096;

    private static final Duration LONGEST_BUSY_POLL = Duration.ofMillis(10);
    /** Longest wait of a read for a fresh Satellite. */
    public static final Duration LONGEST_PATIENCE = Duration.ofMinutes(5);

    private static final Duration LONGEST_HOLD = Duration.ofDays(1);
    /** In percent. */
    private static final int WHOLE_CORE = 100;

    private static final Duration LONGEST_IDLE = Duration.ofDays(1);
    private static final Duration LONGEST_SLOW = Duration.ofDays(30);
    private static final Duration LONGEST_DRAIN = Duration.ofDays(1);
    private static final Configuration STANDARD = Configuration.STANDARD;

    private final TomlTable root;
    private final List<String> problems;
    private final Path base;
    private final Overrides overrides;

    private ConfigurationReader(TomlTable root, Path base, Overrides overrides) {
        this.root = root;
        this.problems = root.problems();
        this.base = base;
        this.overrides = overrides;
    }

    /**
     * Reads a file; relative paths in it are relative to its directory.
     *
     * @throws ConfigurationException with all problems of the file and the command line
     */
    public static Configuration read(Path file, Overrides overrides) throws ConfigurationException {
        Path directory = file.toAbsolutePath().getParent();
        return of(TomlTable.read(file, new ArrayList<>()), directory == null ? Path.of("/") : directory, overrides);
    }

    /** Reads text; relative paths in it are relative to {@code base}. */
    static Configuration parse(String toml, Path base, Overrides overrides) throws ConfigurationException {
        return of(TomlTable.parse(toml, "multimed.toml", new ArrayList<>()), base, overrides);
    }

    /** Returns the defaults, changed by the command line. */
    public static Configuration defaults(Overrides overrides) throws ConfigurationException {
        return of(TomlTable.empty(new ArrayList<>()), Path.of("").toAbsolutePath(), overrides);
    }

    /** Reads a document; relative paths in it are relative to {@code base}. */
    static Configuration of(TomlTable root, Path base, Overrides overrides) throws ConfigurationException {
        return new ConfigurationReader(root, base, overrides).configuration();
    }

    private Configuration configuration() throws ConfigurationException {
        TomlTable shutdown = root.table("shutdown");
        TomlTable engine = root.table("engine");
        NodeTables nodes = NodeTables.read(root.table("nodes"), NodeTables.POSTGRESQL);
        Endpoint endpoint = EndpointTable.read(root.table("endpoint"), base, overrides.listen());
        PartialSatelliteTables partial = PartialSatelliteTables.read(root.table("satellites"));
        Map<NodeId, NodeRequest> requests = new HashMap<>(nodes.requests());
        requests.putAll(partial.requests());
        Satellites satellites = satellites(root.table("satellites"), nodes.satelliteSettings());
        if (satellites.capture() == CaptureKind.LOG) {
            requireDecodable(requests.get(NodeId.MASTER), partial);
        }
        TomlTable metrics = root.table("metrics");
        Optional<ListenAddress> metricsAddress = TomlValues.metrics(
                metrics,
                STANDARD.metrics(),
                endpoint.listen(),
                overrides.listen().isPresent() ? "--listen" : "endpoint.listen");
        Configuration configuration = new Configuration(
                endpoint,
                satellites,
                engineBin(engine),
                middleware(root.table("middleware")),
                first(overrides.masterCores(), nodes.masterCores()),
                requests,
                partial.satellites(),
                RouteTables.read(root, partial.satellites(), satellites.count()),
                pools(root.table("pools")),
                LimitTables.read(root.table("limits")),
                reads(root.table("reads")),
                metricsAddress,
                ConsoleKeys.read(metrics, base, metricsAddress, endpoint.tls()),
                OtlpTable.read(root.table("otlp"), base),
                log(root.table("log")),
                duration(shutdown, "drain", STANDARD.drain(), LONGEST_DRAIN));
        for (TomlTable table : List.of(shutdown, engine, root)) {
            table.end();
        }
        if (!problems.isEmpty()) {
            throw new ConfigurationException(problems);
        }
        return configuration;
    }

    private void requireDecodable(@Nullable NodeRequest master, PartialSatelliteTables partial) {
        if (master != null
                && master.settings().getOrDefault("wal_level", "logical").equals("replica")
                && !partial.satellites().isEmpty()) {
            root.table("nodes")
                    .table("master")
                    .table("settings")
                    .problem(
                            "wal_level",
                            "must be logical, or left out, since satellites."
                                    + partial.satellites().get(0).id()
                                    + " is fed by logical decoding; or have triggers capture the changes, with satellites.capture ="
                                    + " \"triggers\"");
        }
    }

    private Middleware middleware(TomlTable table) {
        Middleware middleware = new Middleware(
                first(overrides.middlewareCores(), table.integer("cores", 1, MOST_CORES)),
                duration(table, "busy_poll", STANDARD.middleware().busyPoll(), LONGEST_BUSY_POLL));
        table.end();
        return middleware;
    }

    private Satellites satellites(TomlTable table, Map<String, String> settings) {
        OptionalInt count = table.integer("count", 0, Planner.MOST_SATELLITES);
        OptionalInt overridden = overrides.satellites();
        if (overridden.isPresent() && (overridden.getAsInt() < 0 || overridden.getAsInt() > Planner.MOST_SATELLITES)) {
            problems.add("--satellites: must be a number from 0 to " + Planner.MOST_SATELLITES + ", not "
                    + overridden.getAsInt());
        }
        Satellites standard = STANDARD.satellites();
        Storage storage = word(table, "storage", Storage.class, standard.storage());
        Path memory = path(table, "memory_directory", base).orElse(standard.memoryDirectory());
        Duration holdVacuum = duration(table, "hold_vacuum", standard.holdVacuum(), LONGEST_HOLD);
        int comparison = table.integer("comparison", 0, WHOLE_CORE).orElse(standard.comparison());
        CaptureKind capture = word(table, "capture", CaptureKind.class, standard.capture());
        table.end();
        return new Satellites(
                first(overridden, count),
                overrides.satelliteStorage().orElse(storage),
                memory,
                holdVacuum,
                comparison,
                capture,
                settings);
    }

    private Optional<Path> engineBin(TomlTable table) {
        Optional<Path> written = path(table, "bin", base);
        Optional<Path> bin = overrides.engineBin().or(() -> written);
        Consumer<String> problem = overrides.engineBin().isPresent()
                ? reason -> problems.add("--engine-bin: " + reason)
                : reason -> table.problem("bin", reason);
        bin.filter(directory -> !Files.isExecutable(directory.resolve("postgres")))
                .ifPresent(directory -> problem.accept("there is no program postgres in " + directory
                        + "; it must be the bin directory of PostgreSQL 15 to 18, such as /usr/lib/postgresql/17/bin"));
        return bin;
    }

    private Pools pools(TomlTable table) {
        Pools standard = STANDARD.pools();
        Pools pools = new Pools(
                table.integer("master", 1, MOST_POOLED),
                table.integer("satellite", 1, MOST_POOLED),
                table.integer("transactions", 1, MOST_OPEN).orElse(standard.transactions()),
                table.integer("kept_sessions", 0, MOST_OPEN).orElse(standard.keptSessions()),
                duration(table, "idle_in_transaction", standard.idleInTransaction(), LONGEST_IDLE),
                table.integer("reads_per_connection", 1, MOST_POOLED).orElse(standard.readsPerConnection()));
        table.end();
        return pools;
    }

    private Reads reads(TomlTable table) {
        Reads standard = STANDARD.reads();
        Freshness freshness = TomlValues.freshness(table, standard.freshness());
        Duration patience = duration(table, "patience", standard.patience(), LONGEST_PATIENCE);
        List<String> functions = table.texts("safe_functions");
        functions.stream()
                .filter(function -> !function.matches("[^\\s()]+"))
                .forEach(function -> table.problem(
                        "safe_functions",
                        "must hold names, with or without schema and without arguments, not \"" + function + "\""));
        Reads reads = new Reads(
                freshness,
                patience,
                Set.copyOf(functions),
                table.flag("coalesce", standard.coalesce()),
                table.flag("long_reads_yield", standard.longReadsYield()));
        table.end();
        return reads;
    }

    private static Log log(TomlTable table) {
        Log standard = STANDARD.log();
        Log log = new Log(
                word(table, "format", LogFormat.class, standard.format()),
                duration(table, "slow", standard.slow(), LONGEST_SLOW),
                table.flag("literals", standard.literals()));
        table.end();
        return log;
    }

    private static OptionalInt first(OptionalInt preferred, OptionalInt otherwise) {
        return preferred.isPresent() ? preferred : otherwise;
    }

    /**
     * Refuses what the planner's choice does not permit.
     *
     * @param satellites the names of all Satellites
     */
    public static void requireNodes(Configuration configuration, Set<String> satellites) throws ConfigurationException {
        RouteTables.requireNodes(configuration.routes(), satellites);
    }

    /** Returns the configuration's request to the planner. */
    public static PlanRequest planRequest(Configuration configuration) {
        return new PlanRequest(
                configuration.satellites().count(),
                configuration.middleware().cores(),
                configuration.masterCores(),
                configuration.satellites().storage(),
                configuration.satellites().settings(),
                configuration.nodes(),
                configuration.partial().stream()
                        .map(partial -> new PartRequest(partial.id(), partial.cores()))
                        .toList());
    }
}
