package io.multimed.mariadb;

import io.multimed.core.admission.AdmissionSources;
import io.multimed.core.counters.ConnectionCounts;
import io.multimed.core.counters.RouteCounters;
import io.multimed.core.dispatch.Dispatcher;
import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.Nodes;
import io.multimed.core.node.SatelliteListener;
import io.multimed.core.node.SatellitePhase;
import io.multimed.core.node.SatelliteStatus;
import io.multimed.core.propagation.FloorHistory;
import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.LagMeter;
import io.multimed.core.propagation.MasterLog;
import io.multimed.core.propagation.MasterVisibility;
import io.multimed.core.spi.EngineException;
import io.multimed.endpoint.mysql.MysqlEndpoint;
import io.multimed.endpoint.mysql.config.MysqlEndpointOptions;
import io.multimed.endpoint.mysql.services.MysqlEndpointServices;
import io.multimed.engine.mariadb.EngineAccount;
import io.multimed.engine.mariadb.cluster.MariaDbMaster;
import io.multimed.engine.mariadb.cluster.MariaDbMasterConfig;
import io.multimed.engine.mariadb.cluster.MariaDbSatellite;
import io.multimed.engine.mariadb.cluster.MariaDbSatelliteConfig;
import io.multimed.engine.mariadb.relay.BinlogFeeds;
import io.multimed.engine.mariadb.relay.BinlogListener;
import io.multimed.engine.mariadb.relay.BinlogRelay;
import io.multimed.engine.mariadb.relay.SemiSyncWatch;
import io.multimed.engine.process.CoreBinding;
import io.multimed.engine.supervision.MasterSupervisor;
import io.multimed.engine.supervision.SupervisedMaster;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import io.multimed.model.plan.NodePlan;
import io.multimed.model.plan.SystemModel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running instance: a Master that is durable, the relay, Satellites in memory, and an endpoint.
 *
 * <p>It has more fields and lines than other classes, since it is the list of an instance's parts, and passes what one of them
 * reports to the others that it concerns.
 *
 * <p>{@link #start} and {@link #close} block and belong to one thread; the other methods may be called by any.
 */
public final class MariaDbInstance implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(MariaDbInstance.class);
    private static final Duration START_PATIENCE = Duration.ofMinutes(10);
    private static final Duration STOP_GRACE = Duration.ofSeconds(60);
    private static final long TICK_MILLIS = 50;
    /** Connections to each engine: those of clients and Multimed's own. */
    private static final int CONNECTIONS = 500;
    /** Those kept for Multimed itself, for clients that connect past it, and for connections that the engine has not closed yet. */
    private static final int RESERVED_CONNECTIONS = 50;

    private final MariaDbOptions options;
    private final MasterVisibility visibility = new MasterVisibility();
    private final MasterLog masterLog = new MasterLog(visibility);
    private final FreshnessGate gate = new FreshnessGate(this::requestProgress);
    private final FloorHistory floors = new FloorHistory();
    private final LagMeter lag = new LagMeter();
    private final Nodes nodes;
    private final MariaDbMaster master;
    private final MasterSupervisor masterSupervisor;
    private final BinlogFeeds feeds;
    private final BinlogRelay relay;
    private final SemiSyncWatch semiSync;
    private final SupervisedSatellites satellites;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("multimed-timer").factory());
    private volatile @Nullable MysqlEndpoint endpoint;

    private MariaDbInstance(MariaDbOptions options) throws IOException {
        this.options = options;
        SystemModel model = options.model();
        nodes = new Nodes(
                new ComputationalNode(NodeId.MASTER, Role.MASTER),
                model.satellites().stream()
                        .map(plan -> new ComputationalNode(plan.id(), Role.SATELLITE))
                        .toList());
        master = new MariaDbMaster(new MariaDbMasterConfig(
                options.binaries(),
                options.user(),
                options.directory().resolve("data"),
                run(NodeId.MASTER),
                engineLog(NodeId.MASTER),
                binding(model.master()),
                model.master().memoryBytes(),
                CONNECTIONS,
                settings(model.master())));
        feeds = new BinlogFeeds(master::connect, masterLog, nodes.satellites());
        relay = new BinlogRelay(master::connect, masterLog, gate, new RelayReports(), feeds::published);
        semiSync = new SemiSyncWatch(master::connect, masterLog, gate);
        masterSupervisor = new MasterSupervisor(nodes.master(), new Engine(), new Relay());
        satellites = new SupervisedSatellites(satellites(model), masterLog, gate, new SatelliteReports());
    }

    /**
     * Starts an instance; returns when the Master's data is served. The Satellites follow.
     *
     * @throws EngineException if the Master does not start
     * @throws IOException if an address cannot be listened on
     */
    public static MariaDbInstance start(MariaDbOptions options)
            throws EngineException, IOException, InterruptedException {
        MariaDbInstance instance = new MariaDbInstance(options);
        boolean complete = false;
        try {
            instance.begin();
            complete = true;
            return instance;
        } finally {
            if (!complete) {
                instance.close();
            }
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The ticks end with the timer.
    private void begin() throws EngineException, IOException, InterruptedException {
        if (!master.initialised()) {
            master.initialise();
        }
        masterSupervisor.start();
        relay.start();
        semiSync.start();
        satellites.begin();
        endpoint = open(endpointOptions(), services());
        timer.scheduleAtFixedRate(this::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private MysqlEndpointOptions endpointOptions() {
        return options.front()
                .choices()
                .apply(MysqlEndpointOptions.defaults(options.front().listen())
                        .with(options.model().middleware().eventLoops(), CONNECTIONS - RESERVED_CONNECTIONS));
    }

    private static MysqlEndpoint open(MysqlEndpointOptions options, MysqlEndpointServices services) throws IOException {
        return MysqlEndpoint.start(
                options,
                services,
                Thread.ofPlatform().daemon().name("multimed-loop-", 1).factory());
    }

    /** Opens one more endpoint over the same nodes; the caller closes it. For tests. */
    MysqlEndpoint anotherEndpoint(
            UnaryOperator<MysqlEndpointOptions> otherOptions, UnaryOperator<MysqlEndpointServices> otherServices)
            throws IOException {
        return open(otherOptions.apply(endpointOptions()), otherServices.apply(services()));
    }

    private MysqlEndpointServices services() {
        EngineAccount account = master.account();
        return new MysqlEndpointServices(
                new AdmissionSources(nodes, masterLog, floors, visibility, Dispatcher::place),
                gate,
                node -> (node.role() == Role.MASTER ? master.socket() : satellites.socket(node)).toString(),
                new MysqlEndpointServices.Account(account.user(), account.password()),
                relay::schemaChanges,
                relay::publishedChanges,
                name -> options.front().tables().table(this, name),
                masterLog::doubt);
    }

    private Map<ComputationalNode, MariaDbSatellite> satellites(SystemModel model) {
        Map<ComputationalNode, MariaDbSatellite> made = new LinkedHashMap<>();
        List<NodePlan> plans = model.satellites();
        for (int i = 0; i < plans.size(); i++) {
            NodePlan plan = plans.get(i);
            ComputationalNode node = nodes.satellites().get(i);
            MariaDbSatelliteConfig config = new MariaDbSatelliteConfig(
                    plan.id(),
                    i + 1,
                    options.binaries(),
                    options.user(),
                    options.memory().resolve(plan.id().name()),
                    run(plan.id()),
                    engineLog(plan.id()),
                    binding(plan),
                    plan.memoryBytes(),
                    CONNECTIONS,
                    settings(plan));
            made.put(node, new MariaDbSatellite(config, master, feeds, node, masterLog, gate));
        }
        return made;
    }

    /** Returns the settings of a node. Where clients can have TLS, accounts may require it of Multimed's own connections too. */
    private Map<String, String> settings(NodePlan plan) {
        Map<String, String> settings = new LinkedHashMap<>();
        if (endpointOptions().tls() != null) {
            settings.put("ssl", "1");
        }
        settings.putAll(plan.settings());
        return settings;
    }

    private Path run(NodeId node) {
        return options.directory().resolve("run").resolve(node.name());
    }

    private Path engineLog(NodeId node) {
        return options.logs().resolve(node.name() + ".log");
    }

    private CoreBinding binding(NodePlan plan) {
        return options.model().binds(plan) ? new CoreBinding(plan.cpus().toList(), plan.numaNodes()) : CoreBinding.NONE;
    }

    private void tick() {
        try {
            sampleFloor();
            masterSupervisor.look();
            satellites.tick();
        } catch (RuntimeException e) {
            log.error("a tick failed", e);
        }
    }

    private void sampleFloor() {
        long now = System.nanoTime();
        long floor = masterLog.floor();
        floors.sample(now, floor);
        if (floor != MasterLog.UNKNOWN) {
            lag.sample(now, floor);
        }
    }

    private void requestProgress() {
        satellites.requestProgress();
    }

    private void gone(ComputationalNode node) {
        MysqlEndpoint open = endpoint;
        if (open != null) {
            open.nodeGone(node);
        }
    }

    /** The Master's engine as its supervisor uses it. */
    private final class Engine implements SupervisedMaster {
        @Override
        public void start(Consumer<String> onCrash) throws EngineException, InterruptedException {
            master.start(START_PATIENCE, reason -> {
                onCrash.accept(reason);
                gone(nodes.master());
            });
        }

        @Override
        public void kill() {
            master.kill();
        }

        @Override
        public boolean frozen() {
            return master.frozen();
        }
    }

    private final class Relay implements MasterSupervisor.RelayControl {
        @Override
        public void withdraw() throws InterruptedException {
            relay.withdraw();
        }

        @Override
        public void resume() {
            relay.resume();
        }
    }

    private final class RelayReports implements BinlogListener {
        @Override
        public void masterConnected() {
            log.info("the relay receives the Master's binary log");
        }

        @Override
        public void masterLost(String reason) {
            log.info("the relay has lost the Master: {}", reason);
        }

        @Override
        public void masterUnusable(String reason) {
            log.error("the relay cannot go on with the Master: {}", reason);
            gone(nodes.master());
            masterSupervisor.unusable(reason);
        }
    }

    private final class SatelliteReports implements SatelliteListener {
        @Override
        public void changed(NodeId id, SatelliteStatus from, SatelliteStatus to) {
            SatellitePhase phase = to.phase();
            if (from.phase() == phase) {
                return;
            }
            log.info("{} is {}", id, to);
            if (phase == SatellitePhase.SUSPECT
                    || phase == SatellitePhase.FENCING
                    || phase == SatellitePhase.STOPPING) {
                nodes.satellites().stream().filter(node -> node.id().equals(id)).forEach(MariaDbInstance.this::gone);
            }
        }

        @Override
        public void copying(NodeId id, long copiedBytes, long totalBytes) {
            log.debug("copying to {}: {} of {}", id, copiedBytes, totalBytes);
        }

        @Override
        public void unforeseen(NodeId id, Throwable cause) {
            log.error("an event of {} could not be handled", id, cause);
        }
    }

    /** Returns the endpoint's address, with the selected port. */
    public InetSocketAddress address() {
        MysqlEndpoint open = endpoint;
        if (open == null) {
            throw new IllegalStateException("not started");
        }
        return open.address();
    }

    public Nodes nodes() {
        return nodes;
    }

    /** Changes what the endpoint can change while sessions run; nothing if it is not open. */
    public void reconfigure(UnaryOperator<MysqlEndpointOptions> change) {
        MysqlEndpoint open = endpoint;
        if (open != null) {
            open.reconfigure(change.apply(open.options()));
        }
    }

    /** Returns the number of clients. */
    public int clients() {
        MysqlEndpoint open = endpoint;
        return open == null ? 0 : open.clients();
    }

    /** Returns the counts of what clients' sessions do, one element for each event loop. */
    public List<RouteCounters> counters() {
        MysqlEndpoint open = endpoint;
        return open == null ? List.of() : open.counters();
    }

    /** Returns the numbers of clients' connections to each node. */
    public List<ConnectionCounts> connections() {
        MysqlEndpoint open = endpoint;
        return open == null ? List.of() : open.connections();
    }

    /** Returns the process ID of a node's engine; 0 if none runs. */
    public long pid(ComputationalNode node) {
        return node.role() == Role.MASTER ? master.pid() : satellites.pid(node);
    }

    /** Returns starting, serving, unresponsive, recovering, down or stopping. */
    public String masterState() {
        return masterSupervisor.state();
    }

    /** Whether each Satellite serves, or has been given up for the time being. */
    public boolean settled() {
        return satellites.settled();
    }

    public int satellitesServing() {
        return (int)
                nodes.satellites().stream().filter(ComputationalNode::serving).count();
    }

    /** Returns the SCN of the last received commit; 0 before the first. */
    public long scn() {
        return masterLog.received();
    }

    /** Returns the present state of all nodes, the Master first. */
    public List<NodeReport> reports() {
        List<NodeReport> reports = new ArrayList<>();
        for (int i = 0; i < nodes.satellites().size(); i++) {
            ComputationalNode node = nodes.satellites().get(i);
            SatelliteStatus status = satellites.status(node);
            long applied = node.applied();
            reports.add(new NodeReport(
                    node,
                    status.phase().label(),
                    status.detail(),
                    satellites.pid(node),
                    options.model().satellites().get(i).cpus().toList(),
                    satellites.socket(node),
                    applied,
                    lag.lagMillis(System.nanoTime(), applied)));
        }
        // The Satellites are asked first, so that the Master's position is not below theirs.
        reports.add(
                0,
                new NodeReport(
                        nodes.master(),
                        masterSupervisor.state(),
                        masterSupervisor.detail(),
                        master.pid(),
                        options.model().master().cpus().toList(),
                        master.socket(),
                        masterLog.received(),
                        0));
        return reports;
    }

    /** Ends clients' sessions, then the engines; waits until none is left. */
    @Override
    public void close() {
        MysqlEndpoint open = endpoint;
        endpoint = null;
        if (open != null) {
            open.close();
        }
        masterSupervisor.close();
        timer.shutdownNow();
        satellites.stop();
        try {
            // The relay ends after it, so that commits under way can.
            master.stop(STOP_GRACE);
        } catch (InterruptedException e) {
            master.kill();
            Thread.currentThread().interrupt();
        }
        semiSync.close();
        relay.close();
        feeds.close();
    }
}
