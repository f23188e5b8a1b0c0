package io.multimed.server.config;

import io.multimed.model.Freshness;
import io.multimed.model.NodeId;
import io.multimed.model.plan.NodeRequest;
import io.multimed.model.plan.PlanRequest;
import io.multimed.model.plan.Planner;
import io.multimed.model.plan.Storage;
import io.multimed.model.topology.CpuSet;
import io.multimed.server.config.Configuration.Authentication;
import io.multimed.server.config.Configuration.Endpoint;
import io.multimed.server.config.Configuration.Middleware;
import io.multimed.server.config.Configuration.Pools;
import io.multimed.server.config.Configuration.Reads;
import io.multimed.server.config.Configuration.Satellites;
import io.multimed.server.config.Configuration.Tls;
import io.multimed.server.config.Configuration.TlsRequired;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;

/** Turns {@code multimed.toml} and the command line into a {@link Configuration}, or reports everything that is wrong. */
public final class ConfigurationReader {
    private static final int MOST_CLIENTS = 100_000;
    private static final int MOST_POOLED = 1_000;
    private static final int MOST_OPEN = 10_000;
    private static final int MOST_CORES = 4_096;
    private static final Duration LONGEST_BUSY_POLL = Duration.ofMillis(10);
    private static final Duration LONGEST_PATIENCE = Duration.ofMinutes(5);
    private static final Duration LONGEST_HOLD = Duration.ofDays(1);
    private static final Duration LONGEST_IDLE = Duration.ofDays(1);
    private static final Duration LONGEST_DRAIN = Duration.ofDays(1);
    private static final Configuration STANDARD = Configuration.STANDARD;

    /** Settings that Multimed itself must give the engines; changing them would break a guarantee. */
    private static final Set<String> OWN_SETTINGS = Set.of(
            "archive_mode",
            "cluster_name",
            "config_file",
            "external_pid_file",
            "fsync",
            "full_page_writes",
            "hot_standby",
            "hot_standby_feedback",
            "listen_addresses",
            "log_destination",
            "logging_collector",
            "max_wal_senders",
            "port",
            "primary_conninfo",
            "primary_slot_name",
            "restart_after_crash",
            "restore_command",
            "ssl",
            "synchronous_commit",
            "synchronous_standby_names",
            "unix_socket_directories",
            "unix_socket_group",
            "unix_socket_permissions",
            "data_directory",
            "hba_file",
            "ident_file");

    /** Values of wal_level that suffice for Satellites; {@code logical} also serves logical replication to other systems. */
    private static final Set<String> MASTER_LOG_LEVELS = Set.of("replica", "logical");

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
        TomlTable nodes = root.table("nodes");
        TomlTable shutdown = root.table("shutdown");
        TomlTable engine = root.table("engine");
        Map<String, String> satelliteSettings = new HashMap<>();
        OptionalInt masterCores = OptionalInt.empty();
        Map<NodeId, NodeRequest> requests = new HashMap<>();
        for (String name : nodes.names()) {
            TomlTable node = nodes.table(name);
            if (name.equals("satellite")) {
                satelliteSettings.putAll(settings(node));
            } else if (name.equals("master") || name.matches("satellite-[1-9][0-9]?")) {
                NodeRequest request = new NodeRequest(cpus(node), settings(node));
                if (!request.equals(NodeRequest.NONE)) {
                    requests.put(new NodeId(name), request);
                }
                if (name.equals("master")) {
                    masterCores = node.integer("cores", 1, MOST_CORES);
                }
            } else {
                nodes.problem(
                        name,
                        "there is no such node; allowed are master, satellite (all of them), satellite-1, satellite-2, ...");
                continue;
            }
            node.end();
        }
        Endpoint endpoint = endpoint(root.table("endpoint"));
        Configuration configuration = new Configuration(
                endpoint,
                satellites(root.table("satellites"), satelliteSettings),
                engineBin(engine),
                middleware(root.table("middleware")),
                first(overrides.masterCores(), masterCores),
                Map.copyOf(requests),
                pools(root.table("pools")),
                reads(root.table("reads")),
                metrics(root.table("metrics"), endpoint.listen()),
                duration(shutdown, "drain", STANDARD.drain(), LONGEST_DRAIN));
        for (TomlTable table : List.of(shutdown, engine, root)) {
            table.end();
        }
        if (!problems.isEmpty()) {
            throw new ConfigurationException(problems);
        }
        return configuration;
    }

    private Middleware middleware(TomlTable table) {
        Middleware middleware = new Middleware(
                first(overrides.middlewareCores(), table.integer("cores", 1, MOST_CORES)),
                duration(table, "busy_poll", STANDARD.middleware().busyPoll(), LONGEST_BUSY_POLL));
        table.end();
        return middleware;
    }

    private Endpoint endpoint(TomlTable table) {
        Optional<String> overridden = overrides.listen();
        String listenKey = overridden.isPresent() ? "--listen" : table.key("listen");
        Endpoint standard = STANDARD.endpoint();
        ListenAddress listen = read(table, "listen", ListenAddress::parse, standard.listen());
        if (overridden.isPresent()) {
            try {
                listen = ListenAddress.parse(overridden.get());
            } catch (IllegalArgumentException e) {
                problems.add("--listen: " + e.getMessage());
            }
        }
        Authentication auth = word(table, "auth", Authentication.class, standard.auth());
        Optional<Tls> tls = tls(table.table("tls"), table.has("tls"));
        refuseOpenDoor(listenKey, listen, auth, tls);
        Endpoint endpoint = new Endpoint(
                listen,
                auth,
                tls,
                table.integer("max_clients", 1, MOST_CLIENTS).orElse(standard.maxClients()),
                Set.copyOf(table.texts("admin_users")),
                Set.copyOf(table.texts("stats_users")));
        table.end();
        return endpoint;
    }

    private void refuseOpenDoor(String key, ListenAddress listen, Authentication auth, Optional<Tls> tls) {
        boolean loopback;
        try {
            loopback = listen.resolve().getAddress().isLoopbackAddress();
        } catch (UnknownHostException e) {
            problems.add(key + ": no address is known for \"" + listen.host() + "\"");
            return;
        }
        if (!loopback && (auth == Authentication.TRUST || tls.isEmpty())) {
            problems.add(key + ": " + listen + " can be reached from other machines, which is allowed only with"
                    + " passwords (endpoint.auth = \"scram-sha-256\") and TLS (endpoint.tls.certificate and"
                    + " endpoint.tls.key); without them use a loopback address such as 127.0.0.1");
        }
    }

    private Optional<Tls> tls(TomlTable table, boolean wanted) {
        Optional<Path> certificate = file(table, "certificate");
        Optional<Path> key = file(table, "key");
        TlsRequired required = word(table, "required", TlsRequired.class, TlsRequired.NEVER);
        table.end();
        if (wanted && certificate.isEmpty()) {
            missing(table, "certificate");
        }
        if (wanted && key.isEmpty()) {
            missing(table, "key");
        }
        return certificate.flatMap(c -> key.map(k -> new Tls(c, k, required)));
    }

    private void missing(TomlTable table, String name) {
        if (!table.has(name)) {
            table.problem(name, "is missing; TLS needs a certificate and a key, the names of PEM files");
        }
    }

    private Optional<Path> file(TomlTable table, String name) {
        Optional<Path> path = path(table, name);
        path.filter(file -> !Files.isReadable(file))
                .ifPresent(file -> table.problem(
                        name,
                        Files.exists(file)
                                ? file + " cannot be read by the user " + System.getProperty("user.name")
                                : "there is no file " + file));
        return path;
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
        Path memory = path(table, "memory_directory").orElse(standard.memoryDirectory());
        Duration holdVacuum = duration(table, "hold_vacuum", standard.holdVacuum(), LONGEST_HOLD);
        table.end();
        return new Satellites(
                first(overridden, count),
                overrides.satelliteStorage().orElse(storage),
                memory,
                holdVacuum,
                Map.copyOf(settings));
    }

    private Optional<Path> engineBin(TomlTable table) {
        Optional<Path> written = path(table, "bin");
        Optional<Path> bin = overrides.engineBin().or(() -> written);
        String key = overrides.engineBin().isPresent() ? "--engine-bin" : table.key("bin");
        bin.filter(directory -> !Files.isExecutable(directory.resolve("postgres")))
                .ifPresent(directory -> problems.add(key + ": there is no program postgres in " + directory
                        + "; it must be the bin directory of PostgreSQL 15 to 18, such as /usr/lib/postgresql/17/bin"));
        return bin;
    }

    private CpuSet cpus(TomlTable table) {
        CpuSet cpus = read(table, "cpus", CpuSet::parse, CpuSet.EMPTY);
        if (cpus.isEmpty() && table.text("cpus").filter(String::isBlank).isPresent()) {
            table.problem("cpus", "must name at least one, such as \"0-3\"; left out, the planner decides");
        }
        return cpus;
    }

    private Map<String, String> settings(TomlTable node) {
        TomlTable table = node.table("settings");
        Map<String, String> found = new LinkedHashMap<>();
        for (String name : table.names()) {
            if (!name.matches("[A-Za-z_][A-Za-z0-9_.]*")) {
                table.problem(name, "is not the name of a PostgreSQL setting");
            } else if (OWN_SETTINGS.contains(name.toLowerCase(Locale.ROOT))) {
                table.problem(name, "is set by Multimed itself, whose guarantees rest on it; leave it out");
            }
            if (name.equalsIgnoreCase("wal_level")
                    && !table.scalar(name).map(MASTER_LOG_LEVELS::contains).orElse(false)) {
                table.problem(name, "must be replica or logical: Satellites live on the log");
            }
            table.scalar(name).ifPresent(value -> found.put(name.toLowerCase(Locale.ROOT), value));
        }
        return found;
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
        Duration lag = duration(table, "eventual_lag", Freshness.EVENTUAL.maxLag(), Freshness.Eventual.LONGEST_LAG);
        Freshness freshness = read(
                table,
                "freshness",
                name -> switch (name) {
                    case "strong" -> Freshness.STRONG;
                    case "session" -> Freshness.SESSION;
                    case "eventual" -> new Freshness.Eventual(lag);
                    default ->
                        throw new IllegalArgumentException("must be strong, session or eventual, not \"" + name + "\"");
                },
                standard.freshness());
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

    /**
     * @param clients the endpoint's listening address. If the default address for metrics is in use too, only the metrics are
     *     missing
     */
    private Optional<ListenAddress> metrics(TomlTable table, ListenAddress clients) {
        Function<String, Optional<ListenAddress>> parser =
                text -> text.equals("off") ? Optional.empty() : Optional.of(ListenAddress.parse(text));
        Optional<ListenAddress> metrics = read(table, "listen", parser, STANDARD.metrics());
        if (table.has("listen") && metrics.isPresent() && metrics.get().clashesWith(clients)) {
            String key = overrides.listen().isPresent() ? "--listen" : "endpoint.listen";
            table.problem(
                    "listen",
                    metrics.get() + " is where " + key + " (" + clients
                            + ") wants to be: choose another port, or \"off\"");
        }
        table.end();
        return metrics;
    }

    private Duration duration(TomlTable table, String name, Duration standard, Duration longest) {
        Duration duration = duration(table, name, standard);
        if (duration.compareTo(longest) > 0) {
            table.problem(name, "must be at most " + Durations.text(longest) + ", not " + Durations.text(duration));
        }
        return duration;
    }

    private static Duration duration(TomlTable table, String name, Duration standard) {
        return parsed(table, name, table.text(name, Durations.FORM), Durations::parse, standard);
    }

    private Optional<Path> path(TomlTable table, String name) {
        return read(
                table,
                name,
                text -> {
                    // A blank path would mean the directory of the file.
                    if (text.isBlank()) {
                        throw new IllegalArgumentException("must name a place");
                    }
                    return Optional.of(base.resolve(text));
                },
                Optional.empty());
    }

    /** Reads a text with {@code parser}, which throws an exception with the allowed form if it refuses the text. */
    private static <T> T read(TomlTable table, String name, Function<String, T> parser, T standard) {
        return parsed(table, name, table.text(name), parser, standard);
    }

    private static <T> T parsed(
            TomlTable table, String name, Optional<String> text, Function<String, T> parser, T standard) {
        if (text.isEmpty()) {
            return standard;
        }
        try {
            return parser.apply(text.get());
        } catch (IllegalArgumentException e) {
            table.problem(name, String.valueOf(e.getMessage()));
            return standard;
        }
    }

    /** Reads the name of an enumeration's constant, in lower case and with dashes. */
    private static <E extends Enum<E>> E word(TomlTable table, String name, Class<E> type, E standard) {
        return read(
                table,
                name,
                text -> {
                    for (E constant : type.getEnumConstants()) {
                        if (written(constant).equals(text)) {
                            return constant;
                        }
                    }
                    List<String> allowed = Arrays.stream(type.getEnumConstants())
                            .map(ConfigurationReader::written)
                            .toList();
                    throw new IllegalArgumentException(
                            "must be " + String.join(" or ", allowed) + ", not \"" + text + "\"");
                },
                standard);
    }

    private static String written(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static OptionalInt first(OptionalInt preferred, OptionalInt otherwise) {
        return preferred.isPresent() ? preferred : otherwise;
    }

    /** Returns the configuration's request to the planner. */
    public static PlanRequest planRequest(Configuration configuration) {
        return new PlanRequest(
                configuration.satellites().count(),
                configuration.middleware().cores(),
                configuration.masterCores(),
                configuration.satellites().storage(),
                configuration.satellites().settings(),
                configuration.nodes());
    }
}
