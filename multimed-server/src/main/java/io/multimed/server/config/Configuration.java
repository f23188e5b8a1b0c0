package io.multimed.server.config;

import io.multimed.engine.postgresql.relay.RelayOptions;
import io.multimed.model.Freshness;
import io.multimed.model.NodeId;
import io.multimed.model.plan.NodeRequest;
import io.multimed.model.plan.Storage;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Everything that can be configured, valid by construction.
 *
 * @param engineBin directory of installed PostgreSQL programs; empty for the embedded ones
 * @param nodes wishes for single nodes, the Master among them
 * @param metrics where Prometheus may ask; empty for nowhere
 * @param drain how long a shutdown waits for transactions in flight
 */
public record Configuration(
        Endpoint endpoint,
        Satellites satellites,
        Optional<Path> engineBin,
        Middleware middleware,
        OptionalInt masterCores,
        Map<NodeId, NodeRequest> nodes,
        Pools pools,
        Reads reads,
        Optional<ListenAddress> metrics,
        Duration drain) {
    /** Every default: what holds where neither the file nor the command line says anything. */
    public static final Configuration STANDARD = new Configuration(
            new Endpoint(
                    new ListenAddress("127.0.0.1", 7432),
                    Authentication.TRUST,
                    Optional.empty(),
                    10_000,
                    Set.of(),
                    Set.of()),
            new Satellites(
                    OptionalInt.empty(),
                    Storage.MEMORY,
                    Path.of("/dev/shm"),
                    RelayOptions.DEFAULT.feedback(),
                    Map.of()),
            Optional.empty(),
            new Middleware(OptionalInt.empty(), Duration.of(50, ChronoUnit.MICROS)),
            OptionalInt.empty(),
            Map.of(),
            // More reads on a connection gain nothing, and make more wait behind one that turns out to be long.
            new Pools(OptionalInt.empty(), OptionalInt.empty(), 100, 100, Duration.ofSeconds(60), 32),
            new Reads(Freshness.STRONG, Duration.ofMillis(100), Set.of(), true, true),
            Optional.of(new ListenAddress("127.0.0.1", 7433)),
            Duration.ofSeconds(10));

    /** How clients prove who they are. */
    public enum Authentication {
        /** Not at all; for loopback only. */
        TRUST,
        /** With the passwords of the Master's own roles. */
        SCRAM_SHA_256
    }

    /**
     * Certificate and private key, PEM files.
     *
     * @param certificate chain, the server's own first
     * @param key PKCS#8
     * @param required who may not connect without
     */
    public record Tls(Path certificate, Path key, TlsRequired required) {}

    /** Clients that may not connect without TLS. */
    public enum TlsRequired {
        NEVER,
        /** Clients on other machines. */
        REMOTE,
        ALWAYS
    }

    /**
     * Where clients connect.
     *
     * @param maxClients beyond these a client is refused with 53300
     * @param adminUsers roles that may do everything in the admin database, apart from superusers
     * @param statsUsers roles that see everything there
     */
    public record Endpoint(
            ListenAddress listen,
            Authentication auth,
            Optional<Tls> tls,
            int maxClients,
            Set<String> adminUsers,
            Set<String> statsUsers) {}

    /**
     * The process in front of the engines.
     *
     * @param cores physical ones; empty leaves it to the planner
     * @param busyPoll how long threads that find nothing to do ask again before they sleep; zero for never
     */
    public record Middleware(OptionalInt cores, Duration busyPoll) {}

    /**
     * The Satellites.
     *
     * @param count empty leaves it to the planner
     * @param storage where their data is
     * @param memoryDirectory tmpfs for Satellites in memory
     * @param holdVacuum how long a snapshot on a Satellite may keep the Master from removing what it still sees
     * @param settings of every Satellite's engine
     */
    public record Satellites(
            OptionalInt count,
            Storage storage,
            Path memoryDirectory,
            Duration holdVacuum,
            Map<String, String> settings) {}

    /**
     * Connections to one engine.
     *
     * @param master on which clients' transactions execute side by side; empty leaves it to the server
     * @param satellite likewise to each Satellite
     * @param transactions that may be open, those included that are idle
     * @param keptSessions sessions that may keep their connection between transactions, without counting as one
     * @param idleInTransaction after which a transaction that is idle is ended when others wait for a connection and no more
     *     may be opened
     * @param readsPerConnection short reads of different clients that may be under way on one connection to a Satellite; 1
     *     for a connection of its own for each
     */
    public record Pools(
            OptionalInt master,
            OptionalInt satellite,
            int transactions,
            int keptSessions,
            Duration idleInTransaction,
            int readsPerConnection) {}

    /**
     * Reads.
     *
     * @param freshness of sessions that do not choose
     * @param patience how long a read waits for a Satellite to become fresh before the Master answers it
     * @param safeFunctions user functions that may run on a Satellite
     * @param coalesce whether what several ask for while it has to wait is executed once for all of them
     * @param longReadsYield whether engine processes that execute long reads have a lower priority
     */
    public record Reads(
            Freshness freshness,
            Duration patience,
            Set<String> safeFunctions,
            boolean coalesce,
            boolean longReadsYield) {}
}
