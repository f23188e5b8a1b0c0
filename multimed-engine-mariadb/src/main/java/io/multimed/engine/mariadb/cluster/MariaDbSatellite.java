package io.multimed.engine.mariadb.cluster;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.MasterLog;
import io.multimed.core.spi.CopyProgress;
import io.multimed.core.spi.EngineException;
import io.multimed.core.spi.SatelliteControl;
import io.multimed.engine.files.NoRoomException;
import io.multimed.engine.mariadb.EngineAccount;
import io.multimed.engine.mariadb.GtidPosition;
import io.multimed.engine.mariadb.applied.AppliedWatch;
import io.multimed.engine.mariadb.copy.MasterCopy;
import io.multimed.engine.mariadb.process.EngineFiles;
import io.multimed.engine.mariadb.process.MariaDbProcess;
import io.multimed.engine.mariadb.process.StaleMariaDb;
import io.multimed.engine.mariadb.relay.BinlogFeeds;
import io.multimed.engine.mariadb.relay.FeedAddress;
import io.multimed.engine.mariadb.wire.EngineConnection;
import io.multimed.model.NodeId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Satellite's engine: a replica of the Master that is fed through the relay and reads from a copy of its own.
 *
 * <p>Driven by one worker thread, as {@link SatelliteControl} says; {@link #requestProgress}, {@link #frozen}, {@link #socket} and
 * {@link #pid} may be called from any.
 */
public final class MariaDbSatellite implements SatelliteControl {
    private static final Logger LOG = LoggerFactory.getLogger(MariaDbSatellite.class);
    private static final Duration STALE_PATIENCE = Duration.ofSeconds(1);
    private static final Duration START_PATIENCE = Duration.ofMinutes(10);

    private final MariaDbSatelliteConfig config;
    private final MariaDbMaster master;
    private final BinlogFeeds feeds;
    private final ComputationalNode node;
    private final MasterLog masterLog;
    private final FreshnessGate gate;
    private final EngineFiles files;
    private volatile AppliedWatch.@Nullable Reports reports;
    private volatile @Nullable MariaDbProcess process;
    private volatile @Nullable AppliedWatch watch;
    /** The position that the data has after its recovery; null if there is no data. */
    private @Nullable GtidPosition copied;

    public MariaDbSatellite(
            MariaDbSatelliteConfig config,
            MariaDbMaster master,
            BinlogFeeds feeds,
            ComputationalNode node,
            MasterLog masterLog,
            FreshnessGate gate) {
        this.config = config;
        this.master = master;
        this.feeds = feeds;
        this.node = node;
        this.masterLog = masterLog;
        this.gate = gate;
        this.files = EngineFiles.place(config.runDirectory(), config.user());
    }

    /** Sets the receiver of reports on the feed. Called before the first {@link #start}. */
    public void tell(AppliedWatch.Reports receiver) {
        reports = receiver;
    }

    /** Always false: nothing on a Satellite is durable, so each start begins with a copy. */
    @Override
    public boolean hasData() throws InterruptedException {
        StaleMariaDb.end(files, STALE_PATIENCE);
        return false;
    }

    @Override
    public void copyFromMaster(CopyProgress progress) throws EngineException, InterruptedException {
        StaleMariaDb.end(files, STALE_PATIENCE);
        discardData();
        config.user().privateDirectory(config.dataDirectory());
        config.user().requireReach("The directory of " + config.id(), config.dataDirectory());
        boolean complete = false;
        try (EngineConnection connection = master.connect()) {
            copied = new MasterCopy(connection, master.dataDirectory(), config.dataDirectory(), config.user())
                    .run(progress);
            complete = true;
            LOG.debug("{} has a copy of the Master at {}", config.id(), copied);
        } catch (IOException e) {
            throw NoRoomException.ifFull(
                    config.dataDirectory(), "Cannot copy the Master's data: " + e.getMessage() + ".", e);
        } finally {
            if (!complete) {
                discardData();
            }
        }
    }

    /** Deletes the Satellite's data, which gives back its memory; the engine must not run. */
    public void discardData() throws EngineException {
        copied = null;
        try {
            config.user().deleteTree(config.dataDirectory());
        } catch (IOException e) {
            throw new EngineException("Cannot delete the data of " + config.id() + ": " + e + ".", e);
        }
    }

    @Override
    public void start(Runnable onExit) throws EngineException, InterruptedException {
        GtidPosition from = copied;
        if (from == null) {
            throw new EngineException("There is no complete copy for " + config.id() + ".");
        }
        // The data changes from now on.
        copied = null;
        EngineAccount account = EngineAccount.fresh(master.account().user());
        MariaDbProcess started = MariaDbProcess.start(
                new MariaDbProcess.Command(
                        config.binaries(),
                        "multimed-" + config.id(),
                        files,
                        config.dataDirectory(),
                        MariaDbSettings.ofSatellite(config),
                        account,
                        config.logFile(),
                        config.binding(),
                        List.of()),
                onExit);
        process = started;
        boolean complete = false;
        try {
            started.awaitReady(START_PATIENCE);
            try (EngineConnection connection = started.connect()) {
                replicate(connection, from);
            }
            AppliedWatch.Reports receiver = reports;
            if (receiver == null) {
                throw new IllegalStateException("nobody to be told about the feed");
            }
            AppliedWatch fresh = new AppliedWatch(
                    node, started::connect, () -> feeds.stream(config.id()), masterLog, gate, receiver);
            watch = fresh;
            fresh.start();
            complete = true;
        } catch (IOException e) {
            throw new EngineException(config.id() + " does not replicate: " + e.getMessage() + ".", e);
        } finally {
            if (!complete) {
                started.kill();
            }
        }
    }

    private void replicate(EngineConnection connection, GtidPosition from) throws IOException {
        FeedAddress address = feeds.address(config.id());
        connection.execute("SET GLOBAL gtid_slave_pos = '" + from + "'");
        connection.execute("CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = " + address.port()
                + ", MASTER_USER = '" + address.account().user() + "', MASTER_PASSWORD = '"
                + address.account().password()
                + "', MASTER_SSL = 0, MASTER_SSL_VERIFY_SERVER_CERT = 0, MASTER_USE_GTID = slave_pos,"
                + " MASTER_CONNECT_RETRY = 1, MASTER_HEARTBEAT_PERIOD = 5");
        connection.execute("START SLAVE");
        // From now on sessions are read-only, whatever privileges their users have, unless they declare otherwise.
        connection.execute("SET GLOBAL tx_read_only = 1");
    }

    @Override
    public boolean frozen() {
        MariaDbProcess running = process;
        return running != null && running.frozen();
    }

    @Override
    public void stop(Duration grace) throws InterruptedException {
        endWatch();
        MariaDbProcess running = process;
        if (running != null && !running.stop(grace)) {
            running.kill();
        }
        feeds.disconnect(config.id());
    }

    @Override
    public void kill() {
        MariaDbProcess running = process;
        if (running != null) {
            running.kill();
        }
        endWatch();
        feeds.disconnect(config.id());
    }

    private void endWatch() {
        AppliedWatch running = watch;
        watch = null;
        if (running != null) {
            running.close();
        }
    }

    /** Asks for the applied position at once. Any thread; does not block. */
    public void requestProgress() {
        AppliedWatch running = watch;
        if (running != null) {
            running.demand();
        }
    }

    public NodeId id() {
        return config.id();
    }

    /** Returns the private socket. */
    public Path socket() {
        return files.socket();
    }

    /** Connects as Multimed itself. Any thread; blocks. */
    public EngineConnection connect() throws IOException {
        MariaDbProcess running = process;
        if (running == null) {
            throw new IOException(config.id() + " has not been started");
        }
        return running.connect();
    }

    /** Returns the process ID; 0 if none runs. */
    public long pid() {
        MariaDbProcess running = process;
        return running != null && running.alive() ? running.pid() : 0;
    }
}
