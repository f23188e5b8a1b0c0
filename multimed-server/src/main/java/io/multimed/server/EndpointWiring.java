package io.multimed.server;

import io.multimed.core.dispatch.Dispatcher;
import io.multimed.endpoint.pg.PostgresEndpoint;
import io.multimed.endpoint.pg.backend.EngineProcesses;
import io.multimed.endpoint.pg.backend.SharedCatalogs;
import io.multimed.endpoint.pg.client.TlsNegotiation;
import io.multimed.endpoint.pg.config.EndpointOptions;
import io.multimed.endpoint.pg.config.RouteRules;
import io.multimed.endpoint.pg.hba.HbaRules;
import io.multimed.endpoint.pg.services.EndpointServices;
import io.multimed.endpoint.pg.services.EngineSessions;
import io.multimed.endpoint.pg.services.Operations;
import io.multimed.endpoint.pg.services.StatementTraces;
import io.multimed.engine.postgresql.catalog.EngineRole;
import io.multimed.engine.postgresql.catalog.VisibilityProbe;
import io.multimed.engine.process.CoreBinding;
import io.multimed.engine.process.Pinning;
import io.multimed.engine.process.ProcessScheduling;
import io.multimed.engine.process.WriteFence;
import io.multimed.model.plan.NodePlan;
import io.multimed.model.plan.SystemModel;
import io.multimed.model.topology.CpuSet;
import io.multimed.server.config.Configuration;
import io.multimed.server.master.MasterCatalogs;
import io.multimed.server.startup.StartException;
import io.multimed.server.status.NodeStatus;
import io.multimed.server.status.NodesTable;
import io.multimed.sql.DatabaseCatalog;
import io.multimed.sql.StatementClassifier;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Starts the endpoint with everything that it requires of the other parts. */
final class EndpointWiring {
    private EndpointWiring() {}

    /**
     * Opens an endpoint.
     *
     * @param options made of the configuration; tests have others
     * @param otherServices changes the product's services; the identity except in tests
     */
    static PostgresEndpoint start(
            EndpointOptions options,
            Configuration configuration,
            SystemModel model,
            SharedCore core,
            EndpointServices.Addresses addresses,
            StatementClassifier classifier,
            MasterCatalogs catalogs,
            VisibilityProbe probe,
            EngineSessions sessions,
            Supplier<List<NodeStatus>> status,
            Operations operations,
            UnaryOperator<EndpointServices> otherServices)
            throws StartException {
        EndpointServices services = new EndpointServices(
                core.nodes(),
                core.log(),
                core.visibility(),
                core.gate(),
                core.floorHistory(),
                Dispatcher::place,
                addresses,
                processes(configuration.reads().longReadsYield()),
                classifier,
                schemas(catalogs),
                snapshots(probe),
                roles(catalogs, sessions),
                () -> NodesTable.of(status.get()),
                operations);
        try {
            return PostgresEndpoint.start(
                    options,
                    otherServices.apply(services),
                    threads(model.middleware().loopCpus(), model.sharing().pinned()));
        } catch (IOException e) {
            throw new StartException("endpoint.listen: " + e.getMessage(), e);
        }
    }

    private static EngineProcesses processes(boolean longReadsYield) {
        return new EngineProcesses() {
            @Override
            public long processorNanos(int processId) {
                return ProcessScheduling.processorNanos(processId);
            }

            @Override
            public boolean isRunnable(int processId) {
                return ProcessScheduling.isRunnable(processId);
            }

            @Override
            public boolean yieldToOthers(int processId) {
                return !longReadsYield || ProcessScheduling.yieldToOthers(processId);
            }
        };
    }

    private static EndpointServices.Snapshots snapshots(VisibilityProbe probe) {
        return new EndpointServices.Snapshots() {
            @Override
            public void take(Runnable done) {
                probe.accept(done);
            }

            @Override
            public String query() {
                return VisibilityProbe.SNAPSHOT;
            }

            @Override
            public void taken(String snapshot) {
                probe.observed(snapshot);
            }

            @Override
            public void endDoubts() {
                probe.endDoubts();
            }
        };
    }

    /**
     * Returns the options of the endpoint.
     *
     * @param generation of the routing rules
     * @param traces receives traced statements; null if nobody does
     */
    static EndpointOptions options(
            Configuration configuration,
            SystemModel model,
            Engines engines,
            int generation,
            @Nullable StatementTraces traces)
            throws IOException, StartException {
        Configuration.Endpoint endpoint = configuration.endpoint();
        EndpointOptions standard = EndpointOptions.defaults(endpoint.listen().resolve());
        return new EndpointOptions(
                new EndpointOptions.Listening(
                        standard.listening().address(),
                        endpoint.unix().orElse(null),
                        standard.listening().transport(),
                        model.middleware().eventLoops(),
                        // With a single processor, polling would take it from the threads and processes that the loop
                        // waits for.
                        Runtime.getRuntime().availableProcessors() == 1
                                ? Duration.ZERO
                                : configuration.middleware().busyPoll()),
                new EndpointOptions.Login(rules(endpoint), tls(endpoint), endpoint.adminUsers(), endpoint.statsUsers()),
                configuration.reads().freshness(),
                standard.limits()
                        .withConnections(
                                engines.connections(model.master(), configuration.pools()),
                                engines.connections(
                                        model.satellites().isEmpty()
                                                ? model.master()
                                                : model.satellites().get(0),
                                        configuration.pools()))
                        .withSharing(
                                model.satellites().isEmpty()
                                        ? standard.limits().connections().sharing()
                                        : engines.sharing(model.satellites().get(0), configuration))
                        .withClients(endpoint.maxClients())
                        .withEach(configuration.limits()),
                standard.timeouts()
                        .withFreshness(configuration.reads().patience())
                        .withIdleTransaction(configuration.pools().idleInTransaction()),
                new EndpointOptions.NodeTraits(
                        WriteFence.supported() || model.satellites().isEmpty(),
                        settingsOfNodes(model.master(), model.satellites())),
                new RouteRules(configuration.routes(), generation),
                new EndpointOptions.Watching(
                        configuration.log().slow(),
                        configuration.log().literals(),
                        configuration.console().shown(),
                        traces));
    }

    /** Returns the names of the settings that the configuration sets differently for different nodes. */
    static Set<String> settingsOfNodes(NodePlan master, List<NodePlan> satellites) {
        Set<String> names = new HashSet<>();
        Set<Map.Entry<String, String>> ofMaster = master.settings().entrySet();
        for (NodePlan satellite : satellites) {
            Set<Map.Entry<String, String>> ofSatellite = satellite.settings().entrySet();
            Stream.of(ofMaster, ofSatellite)
                    .flatMap(Set::stream)
                    .filter(setting -> !(ofMaster.contains(setting) && ofSatellite.contains(setting)))
                    .forEach(setting -> names.add(setting.getKey().toLowerCase(Locale.ROOT)));
        }
        return Set.copyOf(names);
    }

    private static HbaRules rules(Configuration.Endpoint endpoint) {
        return endpoint.access()
                .map(Configuration.Access::rules)
                .orElseGet(() -> plaintext(endpoint)
                        .rules(
                                endpoint.auth() == Configuration.Authentication.TRUST
                                        ? EndpointOptions.Authentication.TRUST
                                        : EndpointOptions.Authentication.SCRAM_SHA_256));
    }

    private static EndpointOptions.Plaintext plaintext(Configuration.Endpoint endpoint) {
        return switch (endpoint.tls().map(Configuration.Tls::required).orElse(Configuration.TlsRequired.NEVER)) {
            case NEVER -> EndpointOptions.Plaintext.ANYBODY;
            case REMOTE -> EndpointOptions.Plaintext.LOOPBACK;
            case ALWAYS -> EndpointOptions.Plaintext.NOBODY;
        };
    }

    /** Returns the TLS context; null without TLS. */
    static @Nullable SslContext tls(Configuration.Endpoint endpoint) throws StartException {
        if (endpoint.tls().isEmpty()) {
            return null;
        }
        return endpoint.tls().get().files().context("endpoint.tls", TlsNegotiation.PROTOCOL);
    }

    private static EndpointServices.Schemas schemas(MasterCatalogs catalogs) {
        return new EndpointServices.Schemas() {
            @Override
            public DatabaseCatalog catalog(String database) {
                return catalogs.catalog(database);
            }

            @Override
            public long version(String database) {
                return catalogs.version(database);
            }

            @Override
            public Optional<Set<String>> parametersSet(String database) {
                return catalogs.parametersSet(database);
            }

            @Override
            public long lastChange() {
                return catalogs.lastChange();
            }

            @Override
            public boolean hasChangedSince(String database, long change) {
                return catalogs.hasChangedSince(database, change);
            }

            @Override
            public void whenKnown(String database, Runnable then) {
                catalogs.whenRead(database, then);
            }

            @Override
            public boolean isVersionVisible(String database) {
                return catalogs.isVersionVisible(database);
            }

            @Override
            public SharedCatalogs sharedCatalogs() {
                return catalogs.sharedCatalogs();
            }
        };
    }

    private static EndpointServices.Roles roles(MasterCatalogs catalogs, EngineSessions sessions) {
        return new EndpointServices.Roles() {
            @Override
            public void find(String name, Consumer<EndpointServices.@Nullable Role> found) {
                catalogs.role(name, role -> found.accept(role == null ? null : role(role)));
            }

            @Override
            public EngineSessions sessions() {
                return sessions;
            }
        };
    }

    private static EndpointServices.Role role(EngineRole role) {
        String verifier = role.verifier();
        Instant validUntil = role.validUntil();
        return new EndpointServices.Role(
                role.name(),
                role.canLogin(),
                role.superuser(),
                verifier != null && verifier.startsWith("SCRAM-SHA-256$") ? verifier : null,
                validUntil != null && validUntil.isBefore(Instant.now()),
                role.groups());
    }

    /**
     * Returns a factory for threads on the middleware's cores. Each thread binds itself, since only a thread can bind itself alone.
     */
    private static ThreadFactory threads(CpuSet cpus, boolean pinned) {
        AtomicInteger number = new AtomicInteger();
        return task -> Thread.ofPlatform()
                .daemon()
                .name("multimed-loop-" + number.incrementAndGet())
                .unstarted(() -> {
                    if (pinned) {
                        Pinning.pinCurrentThread(CoreBinding.toCores(cpus.toList()));
                    }
                    task.run();
                });
    }
}
