package io.multimed.engine.postgresql.cluster;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.postgresql.NodeAddress;
import io.multimed.engine.postgresql.binaries.EngineBinaries;
import io.multimed.engine.postgresql.catalog.AdminConnection;
import io.multimed.engine.postgresql.process.ClusterProcesses;
import io.multimed.engine.postgresql.process.EngineCommand;
import io.multimed.engine.postgresql.process.EngineProcess;
import io.multimed.engine.postgresql.process.StaleEngine;
import io.multimed.engine.postgresql.process.StopMode;
import io.multimed.engine.postgresql.relay.RelayAddresses;
import io.multimed.engine.process.CrashWatch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The Master's engine: durable, and acknowledging no commit before the relay has confirmed it.
 *
 * <p>All settings that Multimed needs are on the server's command line. The data directory itself is left as it is, so that
 * PostgreSQL runs on it without Multimed at any time. Used by one thread, except {@link #address}, {@link #pid} and {@link
 * #alive}.
 */
public final class MasterCluster {
    /** Connections for the relay, two at times, and for the eight replication clients that the endpoint admits. */
    private static final int WAL_SENDERS = 10;

    private static final int SIBLINGS_PER_CORE = 5;
    /** PostgreSQL's maximum for {@code commit_siblings}. */
    private static final int MAX_SIBLINGS = 1000;

    private static final Duration STALE_PATIENCE = Duration.ofSeconds(60);

    private final MasterConfig config;
    private final Path run;
    private final ClusterProcesses family;
    private volatile @Nullable EngineProcess process;
    private volatile CrashWatch watch = new CrashWatch(reason -> {});

    public MasterCluster(MasterConfig config) {
        this.config = config;
        this.run = RunDirectory.place(config.runDirectory(), config.user());
        this.family = ClusterProcesses.of("master", config.dataDirectory());
    }

    /** Whether the data directory holds a cluster. */
    public boolean initialised() {
        return DataDirectory.exists(config.dataDirectory());
    }

    /** Makes a new cluster in the data directory, superuser {@code postgres}; takes a second or two. */
    public void initialise() throws EngineException, InterruptedException {
        DataDirectory.initialise(config.dataDirectory(), config.binaries(), config.user());
    }

    /**
     * Checks whether these programs can run a Master on this data; changes nothing.
     *
     * @throws EngineException why not, in one sentence
     */
    public static void requireUsable(Path dataDirectory, EngineBinaries binaries) throws EngineException {
        DataDirectory.requireCompatible(dataDirectory, binaries);
        if (Files.exists(dataDirectory.resolve("standby.signal"))) {
            throw new EngineException("The data directory " + dataDirectory
                    + " is a standby of another server (it has a standby.signal): it cannot be a Master.");
        }
        // At the end of recovery the cluster would continue with another history than the one that the relay follows
        // from the start.
        if (Files.exists(dataDirectory.resolve("recovery.signal"))) {
            throw new EngineException("The data directory " + dataDirectory
                    + " is still to be recovered from a backup (it has a recovery.signal): run PostgreSQL itself on it"
                    + " until its recovery has ended, then start Multimed.");
        }
    }

    /** Returns sentences for the user: how running under Multimed changes a data directory that was made without it. */
    public List<String> changes() {
        List<String> changes = new ArrayList<>(List.of(
                "No file of " + config.dataDirectory()
                        + " is edited: stop Multimed, and PostgreSQL runs on it as before.",
                "While Multimed runs, PostgreSQL listens on a private socket only (" + run
                        + "), with the access rules of that directory instead of pg_hba.conf.",
                "Settings are overridden on the command line: connections, memory, logging to " + config.logFile()
                        + ", wal_level=replica, synchronous_standby_names='" + RelayAddresses.APPLICATION_NAME
                        + "', fsync=on."));
        if (!Files.exists(config.dataDirectory().resolve("postgresql.conf"))) {
            changes.add(
                    "It holds no postgresql.conf, so settings kept elsewhere (Debian: /etc/postgresql) do not apply.");
        }
        return changes;
    }

    /**
     * Starts the engine and returns once it accepts connections; recovery after a crash may take long.
     *
     * <p>An engine of Multimed's that an earlier run left behind is ended first.
     *
     * @param onCrash called once, from any thread, with the reason, if the engine ends later without {@link #stop}
     * @throws EngineException if it did not come up; no process of it is left then
     */
    public void start(Duration patience, Consumer<String> onCrash) throws EngineException, InterruptedException {
        requireUsable(config.dataDirectory(), config.binaries());
        config.user().requireReach("The data directory", config.dataDirectory());
        config.user()
                .requireReach("The directory of the programs", config.binaries().directory());
        StaleEngine.end(family, config.dataDirectory(), StopMode.FAST, STALE_PATIENCE);
        EngineCommand command = new EngineCommand(
                config.binaries().postgres(),
                config.dataDirectory(),
                settings(RunDirectory.open(run, config.user())),
                family,
                config.logFile(),
                config.user(),
                config.binding(),
                List.of(),
                StopMode.FAST);
        CrashWatch fresh = new CrashWatch(onCrash);
        watch = fresh;
        EngineProcess started = EngineProcess.start(command, fresh::ended);
        process = started;
        fresh.started(started::reason);
        try {
            started.awaitReady(patience);
        } catch (EngineException | InterruptedException e) {
            fresh.expectEnd();
            started.killAll();
            throw e;
        }
        try {
            requireSuperuser();
        } catch (EngineException e) {
            // The engine runs, so it can be stopped in order: a recovery would empty its unlogged tables.
            stop(patience);
            throw e;
        }
        fresh.ready();
    }

    /**
     * Ends the engine: closes connections at once and writes a checkpoint; without the checkpoint when {@code grace} has
     * passed.
     */
    public void stop(Duration grace) throws InterruptedException {
        EngineProcess running = process;
        watch.expectEnd();
        if (running == null) {
            return;
        }
        if (!running.stop(StopMode.FAST, grace)) {
            running.stop(StopMode.IMMEDIATE, Duration.ofSeconds(5));
        }
        running.killAll();
    }

    /** Ends every process of the engine at once; nothing that was acknowledged is lost. */
    public void kill() {
        EngineProcess running = process;
        watch.expectEnd();
        if (running != null) {
            running.killAll();
        }
    }

    public NodeAddress address() {
        return RunDirectory.address(run);
    }

    public Path dataDirectory() {
        return config.dataDirectory();
    }

    /** Returns the process ID of the postmaster; 0 if none runs. */
    public long pid() {
        EngineProcess running = process;
        return running != null && running.alive() ? running.pid() : 0;
    }

    public boolean alive() {
        return pid() != 0;
    }

    /** Whether its main process is stopped (SIGSTOP). */
    public boolean frozen() {
        EngineProcess running = process;
        return running != null && running.frozen();
    }

    /** Requires the role and the database that Multimed works with. A cluster made without Multimed may lack either. */
    private void requireSuperuser() throws EngineException {
        try (Connection connection = AdminConnection.open(address(), DataDirectory.SUPERUSER, "postgres");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW is_superuser")) {
            if (!row.next() || !row.getString(1).equals("on")) {
                throw new EngineException("The role 'postgres' of the cluster in " + config.dataDirectory()
                        + " is not a superuser, which Multimed needs: run ALTER ROLE postgres SUPERUSER there first.");
            }
        } catch (SQLException e) {
            throw new EngineException(
                    "Multimed needs the superuser 'postgres' and the database 'postgres' of the cluster in "
                            + config.dataDirectory() + ": " + e.getMessage() + ".",
                    e);
        }
    }

    private Map<String, String> settings(RunDirectory files) throws EngineException {
        EngineSettings settings =
                new EngineSettings(config.dataDirectory(), files, run, address().port(), config.binding());
        settings.preset("max_connections", Integer.toString(config.maxConnections()));
        settings.presets(MemorySettings.of(config.memoryBytes()));
        settings.preset("fsync", "on");
        settings.preset("full_page_writes", "on");
        settings.preset("wal_level", "replica");
        settings.preset("max_wal_senders", Integer.toString(WAL_SENDERS));
        settings.preset("synchronous_commit", "on");
        settings.own("synchronous_standby_names", RelayAddresses.APPLICATION_NAME);
        // A Satellite may be behind by this much log, beyond the relay's memory, and still catch up without a new copy.
        settings.preset("wal_keep_size", "1GB");
        settings.preset("wal_log_hints", "off");
        // With so many running transactions the processors are busy anyway. Commits that go together cost the Master,
        // the relay and the Satellites one round of wake-ups instead of many (TPC-B, 64 clients, 2 cores: 1.07).
        settings.preset("commit_delay", "500");
        settings.preset("commit_siblings", Integer.toString(siblings()));
        // The default uses /dev/shm, which is for the Satellites' data.
        settings.preset("dynamic_shared_memory_type", "sysv");
        return settings.with(config.settings(), "master");
    }

    /** Returns the number of running transactions from which on a commit waits for others to join it. */
    private int siblings() {
        int cores = config.binding().cores().size();
        return Math.clamp(
                (long) SIBLINGS_PER_CORE
                        * (cores > 0 ? cores : Runtime.getRuntime().availableProcessors()),
                1,
                MAX_SIBLINGS);
    }
}
