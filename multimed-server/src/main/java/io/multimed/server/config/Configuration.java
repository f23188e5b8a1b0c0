package io.multimed.server.config;

import io.multimed.endpoint.pg.config.ClientLimits;
import io.multimed.endpoint.pg.config.RouteRule;
import io.multimed.endpoint.pg.config.SocketDirectory;
import io.multimed.endpoint.pg.hba.HbaRules;
import io.multimed.engine.postgresql.relay.RelayOptions;
import io.multimed.engine.postgresql.writeset.CaptureKind;
import io.multimed.model.Freshness;
import io.multimed.model.NodeId;
import io.multimed.model.plan.NodeRequest;
import io.multimed.model.plan.Storage;
import io.multimed.server.tls.TlsFiles;
import io.multimed.sql.StatementRules;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The whole configuration, valid by construction.
 *
 * @param engineBin directory of installed PostgreSQL programs; empty for the embedded ones
 * @param nodes requests for single nodes, the Master among them
 * @param partial the partial Satellites
 * @param routes rules that send reads to nodes, in their order
 * @param limits for clients by role and database
 * @param metrics listening address for Prometheus; empty for none
 * @param console a page beside the metrics
 * @param otlp telemetry sent to a collector
 * @param log of the process
 * @param drain time that a shutdown waits for transactions in flight
 */
public record Configuration(
        Endpoint endpoint,
        Satellites satellites,
        Optional<Path> engineBin,
        Middleware middleware,
        OptionalInt masterCores,
        Map<NodeId, NodeRequest> nodes,
        List<PartialSatellite> partial,
        List<RouteRule> routes,
        Pools pools,
        ClientLimits limits,
        Reads reads,
        Optional<ListenAddress> metrics,
        Console console,
        Otlp otlp,
        Log log,
        Duration drain) {
    /** The defaults, which apply where neither the file nor the command line has a value. */
    public static final Configuration STANDARD = new Configuration(
            new Endpoint(
                    new ListenAddress("127.0.0.1", 7432),
                    Optional.empty(),
                    Authentication.TRUST,
                    Optional.empty(),
                    Optional.empty(),
                    10_000,
                    Set.of(),
                    Set.of()),
            new Satellites(
                    OptionalInt.empty(),
                    Storage.MEMORY,
                    Path.of("/dev/shm"),
                    RelayOptions.DEFAULT.feedback(),
                    1,
                    CaptureKind.LOG,
                    Map.of()),
            Optional.empty(),
            new Middleware(OptionalInt.empty(), Duration.of(50, ChronoUnit.MICROS)),
            OptionalInt.empty(),
            Map.of(),
            List.of(),
            List.of(),
            // More reads on a connection gain nothing, and make more reads wait behind one that turns out to be long.
            new Pools(OptionalInt.empty(), OptionalInt.empty(), 100, 100, Duration.ofSeconds(60), 32),
            ClientLimits.NONE,
            new Reads(Freshness.STRONG, Duration.ofMillis(100), Set.of(), true, true),
            Optional.of(new ListenAddress("127.0.0.1", 7433)),
            new Console(false, Optional.empty(), false),
            Otlp.NONE,
            new Log(LogFormat.TEXT, Duration.ZERO, false),
            Duration.ofSeconds(10));

    /** Whether more than its freshness decides where a read may go: partial Satellites, rules and hints. */
    public boolean steersReads() {
        return !partial.isEmpty() || !routes.isEmpty();
    }

    /**
     * Returns this configuration with everything from another one that a running instance can change.
     *
     * @param addressed whether the address stays, so that authentication and encryption may change
     * @param routed whether the rules may change
     * @param pooled whether the sizes of pools may change
     */
    public Configuration changedTo(Configuration wanted, boolean addressed, boolean routed, boolean pooled) {
        Pools sizes = pooled ? wanted.pools : pools;
        return new Configuration(
                new Endpoint(
                        endpoint.listen,
                        endpoint.unix,
                        addressed ? wanted.endpoint.auth : endpoint.auth,
                        addressed ? wanted.endpoint.access : endpoint.access,
                        addressed ? wanted.endpoint.tls : endpoint.tls,
                        wanted.endpoint.maxClients,
                        wanted.endpoint.adminUsers,
                        wanted.endpoint.statsUsers),
                satellites,
                engineBin,
                middleware,
                masterCores,
                nodes,
                partial,
                routed ? wanted.routes : routes,
                new Pools(
                        sizes.master,
                        sizes.satellite,
                        sizes.transactions,
                        sizes.keptSessions,
                        wanted.pools.idleInTransaction,
                        pools.readsPerConnection),
                wanted.limits,
                new Reads(
                        wanted.reads.freshness,
                        wanted.reads.patience,
                        wanted.reads.safeFunctions,
                        wanted.reads.coalesce,
                        reads.longReadsYield),
                metrics,
                console,
                otlp,
                new Log(log.format, wanted.log.slow, wanted.log.literals),
                wanted.drain);
    }

    /**
     * Returns the parts of the rules that the texts of statements decide.
     *
     * @param hints whether comments count
     * @param generation distinguishes them from those that applied before in this process
     */
    public StatementRules statementRules(boolean hints, int generation) {
        return new StatementRules(
                routes.stream()
                        .map(rule -> new StatementRules.Rule(
                                rule.match().tables(), rule.match().shape()))
                        .toList(),
                hints,
                generation);
    }

    /** Methods by which clients authenticate. */
    public enum Authentication {
        /** No authentication; for loopback addresses only. */
        TRUST,
        /** Passwords of the Master's own roles. */
        SCRAM_SHA_256
    }

    /**
     * Certificate and private key, PEM files.
     *
     * @param certificate chain, the server's own first
     * @param key PKCS#8
     * @param clientCa certificates of the authorities that clients' certificates may be from; empty if clients are not asked for any
     * @param required clients that may not connect without TLS
     */
    public record Tls(Path certificate, Path key, Optional<Path> clientCa, TlsRequired required) {
        public TlsFiles files() {
            return new TlsFiles(certificate, key, clientCa);
        }
    }

    /**
     * Rules that decide which clients may log in, and how.
     *
     * @param maps file of user maps
     * @param rules what the files say
     */
    public record Access(Path file, Optional<Path> maps, HbaRules rules) {}

    /** Clients that may not connect without TLS. */
    public enum TlsRequired {
        NEVER,
        /** Clients on other machines. */
        REMOTE,
        ALWAYS;

        /** Whether a client at this address is one of them. */
        public boolean concerns(InetAddress client) {
            return this == ALWAYS || (this == REMOTE && !client.isLoopbackAddress());
        }
    }

    /**
     * The endpoint for clients.
     *
     * @param unix a Unix-domain socket besides
     * @param access rules instead of {@code auth} and {@code tls.required}
     * @param maxClients number of clients above which a client is refused with 53300
     * @param adminUsers roles, besides superusers, that may do everything in the admin database
     * @param statsUsers roles that see everything there
     */
    public record Endpoint(
            ListenAddress listen,
            Optional<SocketDirectory> unix,
            Authentication auth,
            Optional<Access> access,
            Optional<Tls> tls,
            int maxClients,
            Set<String> adminUsers,
            Set<String> statsUsers) {}

    /**
     * The process in front of the engines.
     *
     * @param cores number of physical cores; if empty, the planner chooses it
     * @param busyPoll time for which threads that find nothing to do keep polling before they sleep; zero for never
     */
    public record Middleware(OptionalInt cores, Duration busyPoll) {}

    /**
     * The Satellites.
     *
     * @param count number of Satellites; if empty, the planner chooses it
     * @param storage the place of their data
     * @param memoryDirectory tmpfs for Satellites in memory
     * @param holdVacuum time for which a snapshot on a Satellite may keep the Master from removing rows that it still sees
     * @param comparison percent of a core for comparing full Satellites with the Master; 0 for no comparison
     * @param capture of the Master's changes for partial Satellites
     * @param settings of every Satellite's engine
     */
    public record Satellites(
            OptionalInt count,
            Storage storage,
            Path memoryDirectory,
            Duration holdVacuum,
            int comparison,
            CaptureKind capture,
            Map<String, String> settings) {}

    /**
     * Connections to one engine.
     *
     * @param master number of connections to the Master on which clients' transactions execute side by side; if empty, the
     *     server chooses it
     * @param satellite the same number for each Satellite
     * @param transactions number of transactions that may be open, including idle ones
     * @param keptSessions number of sessions that may keep their connection between transactions without counting as a
     *     transaction
     * @param idleInTransaction time after which an idle transaction is ended if others wait for a connection and no more may be
     *     opened
     * @param readsPerConnection number of short reads of different clients that may be under way on one connection to a
     *     Satellite; 1 for no sharing
     */
    public record Pools(
            OptionalInt master,
            OptionalInt satellite,
            int transactions,
            int keptSessions,
            Duration idleInTransaction,
            int readsPerConnection) {}

    /**
     * The console, and the access to its port, which is that of the metrics.
     *
     * @param shown whether there is one
     * @param password file with the password for everything on that port; empty if nobody is asked for one
     * @param tls whether the port is encrypted with the endpoint's certificate
     */
    public record Console(boolean shown, Optional<Path> password, boolean tls) {}

    /**
     * Telemetry sent to an OpenTelemetry collector, by OTLP over HTTP.
     *
     * @param endpoint base URL of the collector; empty if nothing is sent
     * @param headers of each request, by name
     * @param metrics interval at which metrics are sent; zero for none
     * @param traces whether a span is sent for each statement that has a sampled trace context
     */
    public record Otlp(Optional<URI> endpoint, Map<String, String> headers, Duration metrics, boolean traces) {
        public static final Otlp NONE = new Otlp(Optional.empty(), Map.of(), Duration.ofSeconds(60), true);

        public Otlp {
            headers = Map.copyOf(headers);
        }
    }

    /** Formats of the log. */
    public enum LogFormat {
        TEXT,
        /** One JSON object a line. */
        JSON
    }

    /**
     * The log of the process.
     *
     * @param slow time from which a client's statement is written to it; zero for none
     * @param literals whether the literals of such a statement are shown
     */
    public record Log(LogFormat format, Duration slow, boolean literals) {}

    /**
     * Reads.
     *
     * @param freshness of sessions that do not choose
     * @param patience time that a read waits for a Satellite to become fresh before the Master answers it
     * @param safeFunctions user functions that may run on a Satellite
     * @param coalesce whether a read that has to wait is executed once for all clients that request it meanwhile
     * @param longReadsYield whether engine processes that execute long reads have a lower priority
     */
    public record Reads(
            Freshness freshness,
            Duration patience,
            Set<String> safeFunctions,
            boolean coalesce,
            boolean longReadsYield) {}
}
