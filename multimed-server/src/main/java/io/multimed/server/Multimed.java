package io.multimed.server;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.spi.EngineException;
import io.multimed.endpoint.pg.PostgresEndpoint;
import io.multimed.endpoint.pg.config.EndpointOptions;
import io.multimed.endpoint.pg.services.EndpointServices;
import io.multimed.engine.postgresql.NodeAddress;
import io.multimed.engine.postgresql.catalog.VisibilityProbe;
import io.multimed.engine.postgresql.cluster.MasterCluster;
import io.multimed.engine.supervision.MasterSupervisor;
import io.multimed.model.NodeId;
import io.multimed.model.plan.SystemModel;
import io.multimed.server.config.Configuration;
import io.multimed.server.config.ConfigurationException;
import io.multimed.server.config.Reloaded;
import io.multimed.server.control.ControlRequest;
import io.multimed.server.control.ControlServer;
import io.multimed.server.lean.Lean;
import io.multimed.server.master.MasterCatalogs;
import io.multimed.server.master.MasterPostgres;
import io.multimed.server.master.ReloadWatch;
import io.multimed.server.metrics.PostgresMetrics;
import io.multimed.server.otlp.OtlpExport;
import io.multimed.server.report.InstanceReport;
import io.multimed.server.satellite.FeedSteps;
import io.multimed.server.satellite.PartialContents;
import io.multimed.server.satellite.PartialFeeds;
import io.multimed.server.satellite.SatelliteComparison;
import io.multimed.server.satellite.SatelliteUnit;
import io.multimed.server.satellite.Satellites;
import io.multimed.server.startup.Progress;
import io.multimed.server.startup.StartException;
import io.multimed.server.status.InstanceStatus;
import io.multimed.server.status.StatusBoard;
import io.multimed.server.status.StatusJson;
import io.multimed.sql.ClassifierOptions;
import io.multimed.sql.StatementClassifier;
import io.multimed.sql.StatementRules;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running instance of Multimed. Thread-safe.
 *
 * <p>It has more fields and lines than other classes, since it is the list of an instance's parts, and each call from outside
 * goes to one of them.
 */
public final class Multimed implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Multimed.class);

    /** The version of Multimed. */
    public static final String VERSION = "0.1.0-SNAPSHOT";

    private final StartupPlan startup;
    private final Progress progress;
    private final Engines engines;
    private final MasterPostgres master;
    private final MasterSupervisor masterSupervisor;
    private final MasterCatalogs catalogs;
    private final VisibilityProbe probe;
    private final StatementClassifier classifier;
    private final Reloading reloading;
    private final @Nullable OtlpExport otlp;
    private final SharedCore core;
    private final MasterRelay relay;
    private final ListeningEndpoint endpoint;
    private final PartialFeeds feeds;
    private final Satellites satellites;
    private final Lean lean;
    private final StatusBoard board;
    private final Heartbeat heartbeat;
    private final ReloadWatch reloads;
    private final SatelliteComparison comparing;
    private final ReadTimesFile readTimes;
    private final LogBounds logs;
    private final ShutdownSteps ending = new ShutdownSteps();
    private final CountDownLatch downAsked = new CountDownLatch(1);
    private volatile @Nullable ControlServer control;
    private volatile @Nullable Watched watched;
    /** Whether the end of the instance does not wait for transactions in flight. */
    private volatile boolean atOnce;

    /** Whether commits may have been acknowledged, so that the data must be kept. */
    private boolean acknowledging;

    private Multimed(StartupPlan startup, Progress progress, FeedSteps steps) {
        this.startup = startup;
        this.progress = progress;
        SystemModel model = startup.model();
        engines = new Engines(startup);
        relay = new MasterRelay(startup, engines);
        core = SharedCore.of(model, startup.configuration(), this::requestProgress);
        endpoint = new ListeningEndpoint(core.nodes());
        MasterCluster cluster = engines.master();
        master = new MasterPostgres(cluster, startup.home().adopted(), () -> endpoint.nodeGone(NodeId.MASTER));
        ClassifierOptions options = Reloading.classifierOptions(
                startup.configuration(), startup.configuration().steersReads(), 0);
        PartialContents contents = new PartialContents(
                startup.configuration().partial(),
                engines::connect,
                options.withRules(StatementRules.NONE),
                startup.movedIndexes()::indexes);
        catalogs = new MasterCatalogs(engines::connect, contents::tables);
        contents.onChange(catalogs::carriedTablesChanged);
        probe = engines.probe(core.visibility(), core.log());
        classifier = new StatementClassifier(options);
        otlp = OtlpExport.of(
                        startup.configuration().otlp(),
                        VERSION,
                        model.topology().name(),
                        startup.configuration().endpoint().listen().toString())
                .orElse(null);
        reloading = new Reloading(startup, engines, classifier, otlp == null ? null : otlp.traces(), endpoint::running);
        masterSupervisor = new MasterSupervisor(core.nodes().master(), master, relay);
        feeds = new PartialFeeds(
                cluster.address(),
                Engines.SUPERUSER,
                startup.configuration().satellites().capture(),
                core.nodes().satellites(),
                core.log(),
                core.gate(),
                steps);
        satellites = new Satellites(
                model.satellites(),
                core.nodes().satellites(),
                engines,
                startup.configuration().partial(),
                contents,
                feeds,
                core.log(),
                core.gate(),
                new SatelliteVoice(progress, endpoint::nodeGone, startup.home()::log));
        lean = new Lean(
                startup.movedIndexes(),
                startup.configuration().partial(),
                contents,
                engines::connect,
                (satellite, database) ->
                        engines.connect(satellite.engine().get().address(), database),
                satellites::units,
                catalogs::carriedTablesChanged);
        board = new StatusBoard(
                model.master(), core.nodes().master(), cluster, masterSupervisor, satellites, core.log());
        readTimes = new ReadTimesFile(
                startup.home().readTimes(),
                core.nodes().satellites(),
                startup.configuration().partial());
        heartbeat = new Heartbeat(satellites, feeds, masterSupervisor, core, board, readTimes::write);
        reloads = new ReloadWatch(engines::connect, satellites::reload);
        comparing = new SatelliteComparison(
                startup.configuration().satellites().comparison(),
                engines::connect,
                engines::connect,
                satellites::units,
                core.visibility(),
                probe);
        logs = new LogBounds(startup.home().log());
    }

    /** Loads classes and libraries that an instance will need, for programs that have to wait before they can start one. */
    public static void preload() {
        PostgresEndpoint.preload();
    }

    /**
     * Starts an instance and returns once it serves the Master's data; Satellites follow.
     *
     * @throws ConfigurationException if the configuration or the command line is wrong
     * @throws StartException if the instance cannot run here as requested
     * @throws EngineException if an engine cannot start; in all three cases nothing is left running or half-created
     */
    public static Multimed start(StartOptions options)
            throws ConfigurationException, StartException, EngineException, InterruptedException {
        return start(options, new FeedSteps());
    }

    /** Starts an instance whose partial Satellites show commits by these steps. */
    static Multimed start(StartOptions options, FeedSteps steps)
            throws ConfigurationException, StartException, EngineException, InterruptedException {
        StartupPlan startup = StartupPlan.of(options);
        Multimed multimed = new Multimed(startup, options.progress(), steps);
        boolean complete = false;
        try {
            multimed.startParts();
            complete = true;
            return multimed;
        } catch (IOException e) {
            throw new StartException("cannot start: " + e.getMessage(), e);
        } catch (EngineException e) {
            throw startup.created() && !multimed.acknowledging ? withoutLog(e, startup) : e;
        } finally {
            if (!complete) {
                multimed.end(Duration.ZERO);
                if (multimed.acknowledging) {
                    startup.lock().close();
                } else {
                    startup.undo();
                }
            }
        }
    }

    /** Removes the log file from the message, because the failed start deletes it with everything else that it has created. */
    private static EngineException withoutLog(EngineException e, StartupPlan startup) {
        String log = " (log: " + startup.home().log(NodeId.MASTER) + ")";
        return new EngineException(String.valueOf(e.getMessage()).replace(log, ""), e);
    }

    private void startParts() throws StartException, EngineException, InterruptedException, IOException {
        SystemModel model = startup.model();
        logs.start();
        master.prepare(progress);
        PostgresEndpoint listening = endpoint.openWhile(
                masterSupervisor::start, () -> anotherEndpoint(UnaryOperator.identity(), UnaryOperator.identity()));
        master.requireSuperuser(engines::connect);
        engines.dropLeftSlots();
        acknowledging = true;
        readTimes.readInto(listening.measuredTimes());
        relay.start(core, new RelayEvents(catalogs, feeds, satellites, masterSupervisor::unusable));
        probe.start();
        control = ControlServer.start(startup.home().controlSocket(), this::answer);
        heartbeat.start();
        engines.giveBackMemory();
        feeds.start();
        satellites.begin();
        reloads.start();
        comparing.start();
        // This comes last because nothing depends on it.
        startMetrics(listening);
        log.info("Serving on {}: {}", uri(), model);
    }

    /** Requests progress reports from the feeds of all Satellites. Any thread; does not block. */
    private void requestProgress() {
        relay.requestProgress();
        feeds.requestProgress();
    }

    /** Opens an endpoint over the nodes; tests open more than one, with options and services of their own. */
    PostgresEndpoint anotherEndpoint(UnaryOperator<EndpointOptions> options, UnaryOperator<EndpointServices> services)
            throws StartException {
        return EndpointWiring.start(
                options.apply(reloading.options()),
                startup.configuration(),
                startup.model(),
                core,
                this::socketPath,
                classifier,
                catalogs,
                probe,
                new SessionsReader(core.nodes().master(), node -> engines.connect(addressOf(node), "postgres")),
                board::nodes,
                new InstanceOperations(catalogs, reloading, this::endAtOnce),
                services);
    }

    /** Nothing depends on it, so its failure is told of and ends nothing. */
    private void startMetrics(PostgresEndpoint listening) {
        Configuration configuration = startup.configuration();
        Watched.Instance instance =
                new Watched.Instance(VERSION, this::status, comparing::counts, listening, core.nodes());
        if (otlp != null) {
            otlp.send(instance.metrics());
        }
        if (configuration.metrics().isPresent()) {
            try {
                watched = Watched.start(configuration, instance);
            } catch (IOException e) {
                log.warn(
                        "There are no metrics{}: {}",
                        configuration.console().shown() ? " and no console" : "",
                        e.getMessage());
            }
        }
    }

    /** Returns the endpoint's URI for clients. */
    public String uri() {
        return "postgresql://" + startup.configuration().endpoint().listen().withPort(endpoint.port()) + "/postgres";
    }

    public InstanceStatus status() {
        return new InstanceStatus(uri(), downAsked.getCount() == 0, board.scn(), board.nodes());
    }

    /** Reads the configuration again and applies what a running instance can change. Blocks until that is done. */
    public Reloaded reload() throws InterruptedException {
        return reloading.reload();
    }

    /** Returns what moves indexes between the Master and partial Satellites. */
    public Lean lean() {
        return lean;
    }

    /** Returns the number of Satellites that serve. */
    public int satellitesServing() {
        return satellites.serving();
    }

    /** Returns how many of the Satellites' rows have been compared with the Master's, and how often one differed. */
    public SatelliteComparison.Counts compared() {
        return comparing.counts();
    }

    /** Whether every planned Satellite serves, or has failed so often that it is retried only at long intervals. */
    public boolean settled() {
        return satellites.settled();
    }

    /** Requests the end of the instance, without waiting for transactions in flight. */
    private void endAtOnce() {
        atOnce = true;
        requestDown();
    }

    /** Requests the end of the instance, as {@code multimed down} does; {@link #awaitDownRequest} then returns. Thread-safe. */
    public void requestDown() {
        downAsked.countDown();
    }

    /**
     * Waits for a request to end the instance.
     *
     * @return whether there was one within {@code patience}
     */
    public boolean awaitDownRequest(Duration patience) throws InterruptedException {
        return downAsked.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    private String answer(ControlRequest request, String argument) {
        Optional<String> named = argument.isEmpty() ? Optional.empty() : Optional.of(argument);
        return switch (request) {
            case STATUS -> StatusJson.write(status());
            case RELOAD -> {
                try {
                    yield reload().written();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException(e);
                }
            }
            case REPORT -> report();
            case LEAN -> lean.propose().written();
            case LEAN_APPLY -> lean.apply(named).written();
            case LEAN_UNDO -> lean.undo(named).written();
            case DOWN -> {
                requestDown();
                yield Long.toString(ProcessHandle.current().pid());
            }
        };
    }

    /** Returns what helps people who look for the cause of a problem, without anything secret. */
    private String report() {
        PostgresEndpoint open = endpoint.running();
        return InstanceReport.of(
                status(),
                reloading.table(),
                open == null ? Optional.empty() : Optional.of(open),
                open == null
                        ? ""
                        : PostgresMetrics.of(this::status, comparing::counts, open, core.nodes())
                                .text());
    }

    private String socketPath(ComputationalNode node) {
        return addressOf(node).socket().toString();
    }

    private NodeAddress addressOf(ComputationalNode node) {
        for (SatelliteUnit unit : satellites.units()) {
            if (unit.node() == node) {
                return unit.engine().get().address();
            }
        }
        return engines.master().address();
    }

    /** Drains the endpoint, then stops the engines; blocks until that is done, also for a second caller. */
    @Override
    public void close() {
        end(atOnce ? Duration.ZERO : reloading.running().drain());
        startup.end();
    }

    private void end(Duration drain) {
        ending.once(() -> endParts(drain));
    }

    private void endParts(Duration drain) {
        Watched metrics = watched;
        if (metrics != null) {
            ShutdownSteps.step("metrics", metrics::close);
        }
        ShutdownSteps.step("endpoint", () -> endpoint.drain(drain));
        if (otlp != null) {
            ShutdownSteps.step("telemetry", otlp::close);
        }
        ShutdownSteps.step("timer", heartbeat::close);
        ShutdownSteps.step("times of reads", readTimes::write);
        ShutdownSteps.step("watch for reloads", reloads::close);
        ShutdownSteps.step("comparison", comparing::close);
        ShutdownSteps.step("supervision of the master", masterSupervisor::close);
        ShutdownSteps.step("satellites", satellites::stop);
        ShutdownSteps.step("write sets", feeds::close);
        ShutdownSteps.step("memory of the satellites", engines::leaveMemory);
        // This comes before the Master: no Satellite needs the relay any more, and it need not handle the loss of the
        // Master.
        ShutdownSteps.step("relay", relay::close);
        ShutdownSteps.step("master", master::stop);
        ShutdownSteps.step("probe", probe::close);
        ShutdownSteps.step("catalogs", catalogs::close);
        ShutdownSteps.step("classifier", classifier::close);
        ShutdownSteps.step("bounds of the logs", logs::close);
        // This comes last, so that requests are answered meanwhile: the instance is ending.
        ControlServer controlSocket = control;
        if (controlSocket != null) {
            ShutdownSteps.step("control socket", controlSocket::close);
        }
        log.info("Ended");
    }
}
