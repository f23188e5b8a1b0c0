package io.multimed.mariadb.cli.config;

import io.multimed.model.Freshness;
import io.multimed.model.plan.PlanRequest;
import io.multimed.model.plan.Planner;
import io.multimed.model.plan.Storage;
import io.multimed.server.config.ConfigurationException;
import io.multimed.server.config.ConfigurationReader;
import io.multimed.server.config.ListenAddress;
import io.multimed.server.config.NodeTables;
import io.multimed.server.config.TomlTable;
import io.multimed.server.config.TomlValues;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** Turns {@code multimed.toml} and the command line into a {@link MariaDbConfiguration}, or reports everything that is wrong. */
public final class MariaDbConfigurationReader {
    /** Settings that Multimed itself must give the engines; changing them would break a guarantee. */
    private static final Set<String> OWN_SETTINGS = Set.of(
            "bind_address",
            "binlog_format",
            "datadir",
            "event_scheduler",
            "gtid_domain_id",
            "gtid_strict_mode",
            "innodb_data_home_dir",
            "innodb_doublewrite",
            "innodb_flush_log_at_trx_commit",
            "innodb_log_group_home_dir",
            "innodb_undo_directory",
            "log_bin",
            "log_error",
            "max_connections",
            "pid_file",
            "port",
            "proxy_protocol_networks",
            "read_only",
            "relay_log",
            "rpl_semi_sync_master_enabled",
            "rpl_semi_sync_master_timeout",
            "rpl_semi_sync_master_wait_no_slave",
            "rpl_semi_sync_master_wait_point",
            "server_id",
            "skip_networking",
            "skip_slave_start",
            "slave_exec_mode",
            "socket",
            "ssl",
            "ssl_ca",
            "ssl_cert",
            "ssl_key",
            "sync_binlog",
            "tmpdir",
            "user");
    /** Beginnings of settings by which transactions, or rows of them, would not reach Satellites. */
    private static final List<String> FILTERS = List.of("replicate_", "binlog_do_", "binlog_ignore_", "slave_skip_");

    private static final MariaDbConfiguration STANDARD = MariaDbConfiguration.STANDARD;

    private final TomlTable root;
    private final List<String> problems;
    private final Path base;
    private final Options options;

    private MariaDbConfigurationReader(TomlTable root, Path base, Options options) {
        this.root = root;
        problems = root.problems();
        this.base = base;
        this.options = options;
    }

    /** Options of the command line; each overrides the corresponding key of the file. */
    public record Options(
            Optional<String> listen,
            boolean hasTls,
            OptionalInt satellites,
            Optional<Path> engineBin,
            Optional<String> metrics) {
        public static final Options NONE =
                new Options(Optional.empty(), false, OptionalInt.empty(), Optional.empty(), Optional.empty());
    }

    /**
     * Reads a file; relative paths in it are relative to its directory.
     *
     * @param file empty for none
     * @throws ConfigurationException with all problems of the file and the command line
     */
    public static MariaDbConfiguration read(Optional<Path> file, Options options) throws ConfigurationException {
        List<String> problems = new ArrayList<>();
        TomlTable root = file.isPresent() ? TomlTable.read(file.get(), problems) : TomlTable.empty(problems);
        Path directory = file.map(Path::toAbsolutePath).map(Path::getParent).orElse(Path.of("/"));
        return new MariaDbConfigurationReader(root, directory, options).configuration();
    }

    private MariaDbConfiguration configuration() throws ConfigurationException {
        TomlTable endpoint = root.table("endpoint");
        TomlTable satellites = root.table("satellites");
        TomlTable engine = root.table("engine");
        TomlTable middleware = root.table("middleware");
        TomlTable reads = root.table("reads");
        TomlTable metrics = root.table("metrics");
        NodeTables nodes = NodeTables.read(root.table("nodes"), MariaDbConfigurationReader::check);
        ListenAddress listen = listen(endpoint);
        MariaDbConfiguration read = new MariaDbConfiguration(
                new MariaDbConfiguration.Endpoint(
                        listen,
                        endpoint.integer("max_clients", 1, ConfigurationReader.MOST_CLIENTS)
                                .orElse(STANDARD.endpoint().maxClients())),
                new PlanRequest(
                        count(satellites),
                        middleware.integer("cores", 1, ConfigurationReader.MOST_CORES),
                        nodes.masterCores(),
                        Storage.MEMORY,
                        nodes.satelliteSettings(),
                        nodes.requests()),
                TomlValues.path(satellites, "memory_directory", base).orElse(STANDARD.memory()),
                options.engineBin().or(() -> TomlValues.path(engine, "bin", base)),
                reads(reads),
                metrics(metrics, listen));
        for (TomlTable table : List.of(endpoint, satellites, engine, middleware, reads, metrics, root)) {
            table.end();
        }
        if (!problems.isEmpty()) {
            throw new ConfigurationException(problems);
        }
        return read;
    }

    private static void check(TomlTable table, String name) {
        NodeTables.check(table, name, "MariaDB", OWN_SETTINGS);
        String small = name.toLowerCase(Locale.ROOT);
        if (FILTERS.stream().anyMatch(small::startsWith)) {
            table.problem(name, "would keep commits from Satellites, whose reads would miss them; leave it out");
        }
        if (table.scalar(name)
                .filter(value -> value.chars().anyMatch(c -> c < ' '))
                .isPresent()) {
            table.problem(name, "must be one line");
        }
    }

    private ListenAddress listen(TomlTable table) {
        Consumer<String> problem = options.listen().isPresent()
                ? reason -> problems.add("--listen: " + reason)
                : reason -> table.problem("listen", reason);
        ListenAddress written = TomlValues.read(
                table, "listen", ListenAddress::parse, STANDARD.endpoint().listen());
        ListenAddress listen = overridden("--listen", options.listen(), ListenAddress::parse, written);
        try {
            if (!options.hasTls() && !listen.resolve().getAddress().isLoopbackAddress()) {
                problem.accept(listen
                        + " can be reached from other machines, which is allowed only with TLS (--tls-cert and --tls-key);"
                        + " without it use a loopback address such as 127.0.0.1");
            }
        } catch (UnknownHostException e) {
            problem.accept("no address is known for \"" + listen.host() + "\"");
        }
        return listen;
    }

    private <T> T overridden(String option, Optional<String> text, Function<String, T> parser, T otherwise) {
        try {
            return text.map(parser).orElse(otherwise);
        } catch (IllegalArgumentException e) {
            problems.add(option + ": " + e.getMessage());
            return otherwise;
        }
    }

    private OptionalInt count(TomlTable table) {
        OptionalInt written = table.integer("count", 0, Planner.MOST_SATELLITES);
        OptionalInt given = options.satellites();
        if (given.isPresent() && (given.getAsInt() < 0 || given.getAsInt() > Planner.MOST_SATELLITES)) {
            problems.add("--satellites: must be a number from 0 to " + Planner.MOST_SATELLITES + ", not "
                    + given.getAsInt());
        }
        return given.isPresent() ? given : written;
    }

    private static MariaDbConfiguration.Reads reads(TomlTable table) {
        Freshness freshness = TomlValues.freshness(table, STANDARD.reads().freshness());
        Duration patience = TomlValues.duration(
                table, "patience", STANDARD.reads().patience(), ConfigurationReader.LONGEST_PATIENCE);
        return new MariaDbConfiguration.Reads(freshness, patience);
    }

    private Optional<ListenAddress> metrics(TomlTable table, ListenAddress clients) {
        Optional<ListenAddress> written = TomlValues.metrics(
                table, STANDARD.metrics(), clients, options.listen().isPresent() ? "--listen" : "endpoint.listen");
        return overridden("--metrics", options.metrics(), TomlValues::addressOrOff, written);
    }
}
