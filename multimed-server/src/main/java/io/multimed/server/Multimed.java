package io.multimed.server;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.node.Nodes;
import io.multimed.core.propagation.FloorHistory;
import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.MasterLog;
import io.multimed.core.propagation.MasterVisibility;
import io.multimed.endpoint.pg.EndpointOptions;
import io.multimed.endpoint.pg.EndpointServices;
import io.multimed.endpoint.pg.PostgresEndpoint;
import io.multimed.engine.EngineException;
import io.multimed.engine.postgresql.catalog.VisibilityProbe;
import io.multimed.engine.postgresql.cluster.MasterCluster;
import io.multimed.engine.postgresql.process.CoreBinding;
import io.multimed.engine.postgresql.process.Pinning;
import io.multimed.engine.postgresql.relay.Relay;
import io.multimed.engine.postgresql.relay.RelayOptions;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import io.multimed.model.plan.SystemModel;
import io.multimed.server.config.ConfigurationException;
import io.multimed.server.config.ListenAddress;
import io.multimed.server.control.ControlRequest;
import io.multimed.server.control.ControlServer;
import io.multimed.server.master.MasterCatalogs;
import io.multimed.server.master.MasterEngine;
import io.multimed.server.master.MasterSupervisor;
import io.multimed.server.metrics.MetricsServer;
import io.multimed.server.satellite.SatelliteUnit;
import io.multimed.server.satellite.Satellites;
import io.multimed.server.status.InstanceStatus;
import io.multimed.server.status.StatusBoard;
import io.multimed.server.status.StatusJson;
import io.multimed.sql.ClassifierOptions;
import io.multimed.sql.StatementClassifier;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One running Multimed. Its methods may be called by any thread. */
public final class Multimed implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Multimed.class);
    private static final Duration BEAT = Duration.ofMillis(50);
    private static final int BEATS_PER_LOOK = 10;
    /** Recovery of a large Master after a crash takes long, and there is nothing better to do than to wait. */
    private static final Duration MASTER_START = Duration.ofHours(1);

    /** Half of the relay's own default: the middleware is to stay small, and older log is on the Master's disk. */
    private static final int RELAY_BUFFER = 8 << 20;

    private static final Duration MASTER_STOP = Duration.ofSeconds(60);

    private final Prepared prepared;
    private final Progress progress;
    private final Engines engines;
    private final MasterCluster master;
    private final MasterSupervisor masterSupervisor;
    private final MasterCatalogs catalogs;
    private final VisibilityProbe probe;
    private final StatementClassifier classifier;
    private final EndpointWiring.Core core;
    private final Satellites satellites;
    private final StatusBoard board;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("multimed-timer").factory());
    /** Of the timer's thread alone. */
    private long beats;

    private final AtomicBoolean stopping = new AtomicBoolean();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final CountDownLatch downAsked = new CountDownLatch(1);
    private volatile @Nullable Relay relay;
    private volatile @Nullable PostgresEndpoint endpoint;
    private volatile @Nullable ControlServer control;
    private volatile @Nullable MetricsServer metrics;
    private volatile int port;

    /** From here on commits may be acknowledged, and what they wrote is kept. */
    private boolean acknowledging;

    private Multimed(Prepared prepared, Progress progress) {
        this.prepared = prepared;
        this.progress = progress;
        SystemModel model = prepared.model();
        engines = new Engines(prepared);
        master = engines.master();
        ComputationalNode masterNode = new ComputationalNode(NodeId.MASTER, Role.MASTER);
        List<ComputationalNode> satelliteNodes = model.satellites().stream()
                .map(plan -> new ComputationalNode(plan.id(), Role.SATELLITE))
                .toList();
        MasterVisibility visibility = new MasterVisibility();
        core = new EndpointWiring.Core(
                new Nodes(masterNode, satelliteNodes),
                new MasterLog(visibility),
                visibility,
                new FreshnessGate(this::requestProgress),
                new FloorHistory());
        catalogs = new MasterCatalogs(engines::connect);
        probe = engines.probe(visibility, core.log()::received);
        classifier = new StatementClassifier(ClassifierOptions.DEFAULT.withSafeFunctions(
                prepared.configuration().reads().safeFunctions()));
        masterSupervisor = new MasterSupervisor(masterNode, new Engine(), new RelayOfMaster());
        satellites = new Satellites(
                model.satellites(),
                satelliteNodes,
                engines::satellite,
                core.log(),
                core.gate(),
                new SatelliteVoice(progress, this::dropConnections, prepared.home()::log));
        board = new StatusBoard(model.master(), masterNode, master, masterSupervisor, satellites, core.log());
    }

    /** Loads what an instance will need, for whoever has to wait before it can start one. */
    public static void preload() {
        PostgresEndpoint.preload();
    }

    /**
     * Starts an instance and returns once it serves the Master's data; Satellites follow.
     *
     * @throws ConfigurationException if what the user wrote is wrong
     * @throws StartException if it cannot run here as asked
     * @throws EngineException if an engine cannot; in all three cases nothing is left running or half-created
     */
    public static Multimed start(StartOptions options)
            throws ConfigurationException, StartException, EngineException, InterruptedException {
        Prepared prepared = Prepared.of(options);
        Multimed multimed = new Multimed(prepared, options.progress());
        boolean complete = false;
        try {
            multimed.startParts();
            complete = true;
            return multimed;
        } catch (IOException e) {
            throw new StartException("cannot start: " + e.getMessage(), e);
        } catch (EngineException e) {
            throw prepared.created() && !multimed.acknowledging ? withoutLog(e, prepared) : e;
        } finally {
            if (!complete) {
                multimed.stopParts(Duration.ZERO);
                if (multimed.acknowledging) {
                    prepared.lock().close();
                } else {
                    prepared.undo();
                }
            }
        }
    }

    /** A log that goes with all else that the start has made is not to be pointed at. */
    private static EngineException withoutLog(EngineException e, Prepared prepared) {
        String log = " (log: " + prepared.home().log(NodeId.MASTER) + ")";
        return new EngineException(String.valueOf(e.getMessage()).replace(log, ""), e);
    }

    private void startParts() throws StartException, EngineException, InterruptedException, IOException {
        SystemModel model = prepared.model();
        if (model.sharing().pinned()) {
            Pinning.pinProcess(
                    ProcessHandle.current().pid(), model.middleware().cpus().toList());
        }
        if (!master.initialised()) {
            progress.step("making a new database cluster in " + master.dataDirectory());
            master.initialise();
        } else if (prepared.home().adopted()) {
            master.changes().forEach(progress::step);
        }
        PostgresEndpoint listening = listenWhileMasterStarts();
        if (prepared.home().adopted()) {
            requireSuperuser();
        }
        acknowledging = true;
        startRelay(model);
        probe.start();
        control = ControlServer.start(prepared.home().controlSocket(), this::answer);
        timer.scheduleAtFixedRate(this::beat, 0, BEAT.toMillis(), TimeUnit.MILLISECONDS);
        engines.giveBackMemory();
        satellites.begin();
        // Last: nobody waits for it.
        startMetrics(listening);
        log.info("Serving on {}: {}", uri(), model);
    }

    /**
     * The engine and what the endpoint is made of take about as long to start. Clients that come before the Master
     * serves wait for it, as they do when it is restarted.
     */
    private PostgresEndpoint listenWhileMasterStarts() throws StartException, EngineException, InterruptedException {
        FutureTask<PostgresEndpoint> opening =
                new FutureTask<>(() -> anotherEndpoint(UnaryOperator.identity(), UnaryOperator.identity()));
        Thread opener = Thread.ofPlatform().daemon().name("multimed-listen").start(opening);
        try {
            masterSupervisor.start();
        } finally {
            opener.join();
            if (opening.state() == Future.State.SUCCESS) {
                endpoint = opening.resultNow();
            }
        }
        if (opening.state() != Future.State.SUCCESS) {
            throw opening.exceptionNow() instanceof StartException refused
                    ? refused
                    : new StartException(
                            "the endpoint does not start: " + opening.exceptionNow(), opening.exceptionNow());
        }
        PostgresEndpoint listening = opening.resultNow();
        port = listening.address().getPort();
        return listening;
    }

    /** A cluster that somebody else made may know another one. */
    private void requireSuperuser() throws StartException {
        try {
            engines.connect("postgres").close();
        } catch (SQLException e) {
            throw new StartException(
                    "the PostgreSQL in " + master.dataDirectory()
                            + " must have a superuser 'postgres' and a database 'postgres': " + e.getMessage(),
                    e);
        }
    }

    /** Opens an endpoint over the nodes; tests open more than one, with parts of their own. */
    PostgresEndpoint anotherEndpoint(UnaryOperator<EndpointOptions> options, UnaryOperator<EndpointServices> services)
            throws StartException {
        return EndpointWiring.start(
                prepared.configuration(),
                prepared.model(),
                engines,
                core,
                this::socketPath,
                classifier,
                catalogs,
                probe,
                board::nodes,
                options,
                services);
    }

    private void startRelay(SystemModel model) throws EngineException, InterruptedException, IOException {
        Relay fresh = new Relay(
                engines.relay(),
                new RelayOptions(
                        RELAY_BUFFER,
                        RelayOptions.DEFAULT.keepalive(),
                        RelayOptions.DEFAULT.silence(),
                        prepared.configuration().satellites().holdVacuum()),
                core.log(),
                core.nodes().satellites(),
                new RelayEvents(catalogs, satellites, masterSupervisor::unusable));
        relay = fresh;
        CoreBinding binding = model.sharing().pinned()
                ? CoreBinding.toCores(model.middleware().relayCpus().toList())
                : CoreBinding.NONE;
        try {
            // The relay's thread inherits the cores of the one that starts it.
            Pinning.callBound(binding, () -> {
                fresh.start(core.gate());
                return fresh;
            });
        } catch (ExecutionException e) {
            throw new IOException("the relay: " + e.getCause(), e);
        }
    }

    private void startMetrics(PostgresEndpoint listening) {
        Optional<ListenAddress> listen = prepared.configuration().metrics();
        if (listen.isPresent()) {
            try {
                metrics = MetricsServer.start(listen.get(), this::status, listening, core.nodes());
            } catch (IOException e) {
                log.warn("There are no metrics, {} cannot be listened on: {}", listen.get(), e.getMessage());
            }
        }
    }

    /** Where Prometheus may ask. */
    public OptionalInt metricsPort() {
        MetricsServer running = metrics;
        return running == null ? OptionalInt.empty() : OptionalInt.of(running.port());
    }

    /** The endpoint, as clients would be told. */
    public String uri() {
        return "postgresql://" + prepared.configuration().endpoint().listen().withPort(port) + "/postgres";
    }

    public InstanceStatus status() {
        return new InstanceStatus(uri(), downAsked.getCount() == 0, board.scn(), board.nodes());
    }

    /** How many Satellites serve. */
    public int satellitesServing() {
        return satellites.serving();
    }

    /** Whether every planned Satellite serves, or has failed so often that it is only tried now and then. */
    public boolean settled() {
        return satellites.settled();
    }

    /** Asks the instance to end, as {@code multimed down} does: {@link #awaitDownRequest} tells. Any thread. */
    public void requestDown() {
        downAsked.countDown();
    }

    /**
     * Waits until somebody asks the instance to end.
     *
     * @return whether somebody has within {@code patience}
     */
    public boolean awaitDownRequest(Duration patience) throws InterruptedException {
        return downAsked.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    private String answer(ControlRequest request) {
        return switch (request) {
            case STATUS -> StatusJson.write(status());
            case DOWN -> {
                requestDown();
                yield Long.toString(ProcessHandle.current().pid());
            }
        };
    }

    private void beat() {
        try {
            long now = System.nanoTime();
            satellites.tick();
            if (++beats % BEATS_PER_LOOK == 0) {
                masterSupervisor.look();
            }
            core.floorHistory().sample(now, core.log().floor());
            board.sample(now);
        } catch (RuntimeException e) {
            log.error("The timer's beat failed", e);
        }
    }

    private void requestProgress() {
        Relay running = relay;
        if (running != null) {
            running.requestProgress();
        }
    }

    /** Connections to this node answer nothing any more. */
    private void dropConnections(NodeId id) {
        PostgresEndpoint running = endpoint;
        if (running == null) {
            return;
        }
        if (id.equals(NodeId.MASTER)) {
            running.nodeGone(core.nodes().master());
        }
        for (ComputationalNode satellite : core.nodes().satellites()) {
            if (satellite.id().equals(id)) {
                running.nodeGone(satellite);
            }
        }
    }

    private String socketPath(ComputationalNode node) {
        for (SatelliteUnit unit : satellites.units()) {
            if (unit.node() == node) {
                return unit.engine().get().address().socket().toString();
            }
        }
        return master.address().socket().toString();
    }

    /** Drains, then ends the engines; blocks until that is done, also for a second caller. */
    @Override
    public void close() {
        stopParts(prepared.configuration().drain());
        prepared.end();
    }

    private void stopParts(Duration drain) {
        if (!stopping.compareAndSet(false, true)) {
            awaitStopped();
            return;
        }
        MetricsServer metricsServer = metrics;
        if (metricsServer != null) {
            step("metrics", metricsServer::close);
        }
        PostgresEndpoint running = endpoint;
        if (running != null) {
            step("endpoint", () -> drain(running, drain));
            endpoint = null;
        }
        step("timer", timer::shutdownNow);
        step("supervision of the master", masterSupervisor::close);
        step("satellites", satellites::stop);
        step("memory of the satellites", engines::leaveMemory);
        // Before the master: nobody is left whom the relay could serve, and it need not mourn a master that ends.
        Relay relaying = relay;
        if (relaying != null) {
            step("relay", relaying::close);
        }
        step("master", this::stopMaster);
        step("probe", probe::close);
        step("catalogs", catalogs::close);
        step("classifier", classifier::close);
        // Last: whoever asks meanwhile is told that it is ending.
        ControlServer controlSocket = control;
        if (controlSocket != null) {
            step("control socket", controlSocket::close);
        }
        log.info("Ended");
        stopped.countDown();
    }

    /** Whatever goes wrong with one part, the others are ended. */
    private static void step(String part, Runnable end) {
        try {
            end.run();
        } catch (RuntimeException e) {
            log.error("Ending the {} failed", part, e);
        }
    }

    private static void drain(PostgresEndpoint running, Duration patience) {
        try {
            running.drain(patience);
        } catch (InterruptedException e) {
            running.close();
            Thread.currentThread().interrupt();
        }
    }

    private void stopMaster() {
        try {
            master.stop(MASTER_STOP);
        } catch (InterruptedException e) {
            master.kill();
            Thread.currentThread().interrupt();
        }
    }

    private void awaitStopped() {
        boolean interrupted = false;
        while (stopped.getCount() > 0) {
            try {
                stopped.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The Master's engine for its supervisor. */
    private final class Engine implements MasterEngine {
        @Override
        public void start(Consumer<String> onCrash) throws EngineException, InterruptedException {
            master.start(MASTER_START, reason -> {
                onCrash.accept(reason);
                dropConnections(NodeId.MASTER);
            });
        }

        @Override
        public void kill() {
            master.kill();
            dropConnections(NodeId.MASTER);
        }

        @Override
        public boolean frozen() {
            return master.frozen();
        }
    }

    /** The relay for the Master's supervisor. */
    private final class RelayOfMaster implements MasterSupervisor.RelayControl {
        @Override
        public void withdraw() throws InterruptedException {
            Relay running = relay;
            if (running != null) {
                running.withdraw();
            }
        }

        @Override
        public void resume() throws InterruptedException {
            Relay running = relay;
            if (running != null) {
                running.resume();
            }
        }
    }
}
