package io.multimed.server.config;

import static io.multimed.server.config.TomlValues.duration;
import static io.multimed.server.config.TomlValues.path;
import static io.multimed.server.config.TomlValues.word;

import io.multimed.endpoint.pg.config.ClientLimits;
import io.multimed.endpoint.pg.config.ClientLimits.Limit;
import io.multimed.endpoint.pg.config.SocketDirectory;
import io.multimed.endpoint.pg.hba.HbaMistakesException;
import io.multimed.endpoint.pg.hba.HbaReader;
import io.multimed.endpoint.pg.hba.HbaRules;
import io.multimed.engine.postgresql.writeset.CaptureKind;
import io.multimed.model.Freshness;
import io.multimed.model.NodeId;
import io.multimed.model.plan.NodeRequest;
import io.multimed.model.plan.PartRequest;
import io.multimed.model.plan.PlanRequest;
import io.multimed.model.plan.Planner;
import io.multimed.model.plan.Storage;
import io.multimed.server.config.Configuration.Access;
import io.multimed.server.config.Configuration.Authentication;
import io.multimed.server.config.Configuration.Console;
import io.multimed.server.config.Configuration.Endpoint;
import io.multimed.server.config.Configuration.Log;
import io.multimed.server.config.Configuration.LogFormat;
import io.multimed.server.config.Configuration.Middleware;
import io.multimed.server.config.Configuration.Pools;
import io.multimed.server.config.Configuration.Reads;
import io.multimed.server.config.Configuration.Satellites;
import io.multimed.server.config.Configuration.Tls;
import io.multimed.server.config.Configuration.TlsRequired;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
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
    private static final Duration LONGEST_LIMIT = Duration.ofDays(30);
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
        Endpoint endpoint = endpoint(root.table("endpoint"));
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
                limits(root.table("limits")),
                reads(root.table("reads")),
                metricsAddress,
                console(metrics, metricsAddress, endpoint.tls()),
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

    private Endpoint endpoint(TomlTable table) {
        Optional<String> overridden = overrides.listen();
        Consumer<String> problem = overridden.isPresent()
                ? reason -> problems.add("--listen: " + reason)
                : reason -> table.problem("listen", reason);
        Endpoint standard = STANDARD.endpoint();
        ListenAddress listen = TomlValues.read(table, "listen", ListenAddress::parse, standard.listen());
        if (overridden.isPresent()) {
            try {
                listen = ListenAddress.parse(overridden.get());
            } catch (IllegalArgumentException e) {
                problem.accept(String.valueOf(e.getMessage()));
            }
        }
        Authentication auth = word(table, "auth", Authentication.class, standard.auth());
        Optional<Tls> tls = tls(table.table("tls"), table.has("tls"));
        Optional<Access> access = access(table, tls);
        // Whoever writes rules decides by them who gets in.
        refuseOpenDoor(problem, listen, !table.has("hba_file") && (auth == Authentication.TRUST || tls.isEmpty()));
        Endpoint endpoint = new Endpoint(
                listen,
                unix(table),
                auth,
                access,
                tls,
                table.integer("max_clients", 1, MOST_CLIENTS).orElse(standard.maxClients()),
                Set.copyOf(table.texts("admin_users")),
                Set.copyOf(table.texts("stats_users")));
        table.end();
        return endpoint;
    }

    private Optional<SocketDirectory> unix(TomlTable table) {
        Optional<Path> directory = path(table, "unix_socket_dir", base);
        directory
                .filter(path -> !Files.isDirectory(path))
                .ifPresent(path -> table.problem("unix_socket_dir", "there is no directory " + path));
        Set<PosixFilePermission> permissions =
                TomlValues.read(table, "unix_socket_mode", ConfigurationReader::permissions, permissions("0777"));
        Optional<String> group = table.text("unix_socket_group");
        return directory.map(path -> new SocketDirectory(path, permissions, group));
    }

    /** Reads permissions in octal notation. */
    private static Set<PosixFilePermission> permissions(String text) {
        if (!text.matches("0?[0-7]{3}")) {
            throw new IllegalArgumentException(
                    "must be permissions in octal notation, such as \"0770\", not \"" + text + "\"");
        }
        int bits = Integer.parseInt(text, 8);
        // The constants are in the order of the bits, the owner's first.
        PosixFilePermission[] all = PosixFilePermission.values();
        return Arrays.stream(all)
                .filter(permission -> ((bits >> (all.length - 1 - permission.ordinal())) & 1) == 1)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Reads the rules, which take the place of simpler keys. */
    private Optional<Access> access(TomlTable table, Optional<Tls> tls) {
        Optional<Path> file = file(table, "hba_file");
        Optional<Path> maps = file(table, "ident_file");
        if (file.isEmpty()) {
            if (table.has("ident_file") && !table.has("hba_file")) {
                table.problem("ident_file", "has an effect only with rules, whose file hba_file names");
            }
            return Optional.empty();
        }
        if (table.has("auth")) {
            table.problem("auth", "the rules in " + file.get() + " (endpoint.hba_file) decide; leave one of them out");
        }
        if (table.table("tls").has("required")) {
            table.table("tls")
                    .problem(
                            "required",
                            "the rules in " + file.get()
                                    + " (endpoint.hba_file) decide, by hostssl; leave one of them out");
        }
        if (!Files.isReadable(file.get()) || !maps.map(Files::isReadable).orElse(true)) {
            return Optional.empty();
        }
        try {
            HbaRules rules = HbaReader.read(file.get(), maps);
            rules.demandingCertificate()
                    .filter(rule -> tls.flatMap(Tls::clientCa).isEmpty())
                    .ifPresent(
                            rule -> problems.add(
                                    rule.file() + ", line " + rule.line()
                                            + ": clients' certificates can be checked only if endpoint.tls.client_ca names those of the authorities"));
            return Optional.of(new Access(file.get(), maps, rules));
        } catch (HbaMistakesException e) {
            problems.addAll(e.mistakes());
            return Optional.empty();
        }
    }

    /** @param open whether anybody who reaches the address gets in, or can be overheard */
    private static void refuseOpenDoor(Consumer<String> problem, ListenAddress listen, boolean open) {
        boolean loopback;
        try {
            loopback = listen.resolve().getAddress().isLoopbackAddress();
        } catch (UnknownHostException e) {
            problem.accept("no address is known for \"" + listen.host() + "\"");
            return;
        }
        if (!loopback && open) {
            problem.accept(
                    listen + " can be reached from other machines, which is allowed only with"
                            + " passwords (endpoint.auth = \"scram-sha-256\") and TLS (endpoint.tls.certificate and"
                            + " endpoint.tls.key) or rules (endpoint.hba_file); without them use a loopback address such as 127.0.0.1");
        }
    }

    private Optional<Tls> tls(TomlTable table, boolean wanted) {
        Optional<Path> certificate = file(table, "certificate");
        Optional<Path> key = file(table, "key");
        Optional<Path> clientCa = file(table, "client_ca");
        TlsRequired required = word(table, "required", TlsRequired.class, TlsRequired.NEVER);
        table.end();
        if (wanted && certificate.isEmpty()) {
            missing(table, "certificate");
        }
        if (wanted && key.isEmpty()) {
            missing(table, "key");
        }
        return certificate.flatMap(c -> key.map(k -> new Tls(c, k, clientCa, required)));
    }

    private void missing(TomlTable table, String name) {
        if (!table.has(name)) {
            table.problem(name, "is missing; TLS needs a certificate and a key, the names of PEM files");
        }
    }

    private Optional<Path> file(TomlTable table, String name) {
        Optional<Path> path = path(table, name, base);
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

    private static ClientLimits limits(TomlTable table) {
        Map<String, Map<Limit, Long>> users = limitsByName(
                table.table("users"), EnumSet.of(Limit.MAX_DB_CLIENT_CONNECTIONS, Limit.MAX_DB_CONNECTIONS));
        Map<String, Map<Limit, Long>> databases = limitsByName(
                table.table("databases"), EnumSet.of(Limit.MAX_USER_CLIENT_CONNECTIONS, Limit.MAX_USER_CONNECTIONS));
        ClientLimits limits = new ClientLimits(limits(table, Set.of(Limit.values())), users, databases);
        table.end();
        return limits;
    }

    private static Map<String, Map<Limit, Long>> limitsByName(TomlTable table, EnumSet<Limit> excluded) {
        Set<Limit> kinds = EnumSet.complementOf(excluded);
        Map<String, Map<Limit, Long>> byName = new HashMap<>();
        for (String name : table.names()) {
            TomlTable one = table.table(name);
            byName.put(name, limits(one, kinds));
            one.end();
        }
        return byName;
    }

    private static Map<Limit, Long> limits(TomlTable table, Set<Limit> kinds) {
        Map<Limit, Long> limits = new EnumMap<>(Limit.class);
        for (Limit kind : kinds) {
            if (!kind.isTime()) {
                table.integer(kind.key(), 0, MOST_CLIENTS).ifPresent(most -> limits.put(kind, (long) most));
            } else if (table.has(kind.key())) {
                limits.put(
                        kind,
                        duration(table, kind.key(), Duration.ZERO, LONGEST_LIMIT)
                                .toMillis());
            }
        }
        return limits;
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

    /**
     * @param table that of the metrics
     * @param listen their address
     */
    private Console console(TomlTable table, Optional<ListenAddress> listen, Optional<Tls> tls) {
        Console console = new Console(
                table.flag("console", STANDARD.console().shown()),
                file(table, "password_file"),
                table.flag("tls", STANDARD.console().tls()));
        table.end();
        if (console.tls() && tls.isEmpty()) {
            table.problem(
                    "tls", "needs the certificate of the endpoint (endpoint.tls.certificate and endpoint.tls.key)");
        }
        if (console.shown() && listen.isEmpty()) {
            table.problem("console", "is shown on the port of the metrics, and metrics.listen is \"off\"");
        }
        boolean guarded = table.has("password_file") && console.tls();
        boolean somethingToGuard = console.shown() || table.has("password_file");
        if (listen.isPresent() && somethingToGuard && !guarded && isReachable(listen.get())) {
            table.problem(
                    console.shown() ? "console" : "password_file",
                    listen.get() + " can be reached from other machines, which is allowed only with both a password"
                            + " (metrics.password_file) and TLS (metrics.tls = true); without them use a loopback"
                            + " address such as 127.0.0.1");
        }
        return console;
    }

    /** Whether other machines can reach the address. One that is not known cannot be listened on either. */
    private static boolean isReachable(ListenAddress address) {
        try {
            return !address.resolve().getAddress().isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static Log log(TomlTable table) {
        Log standard = STANDARD.log();
        Log log = new Log(
                word(table, "format", LogFormat.class, standard.format()),
                duration(table, "slow", standard.slow(), LONGEST_LIMIT),
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
