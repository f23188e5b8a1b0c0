package io.multimed.engine.mariadb.cluster;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.mariadb.EngineAccount;
import io.multimed.engine.mariadb.process.EngineFiles;
import io.multimed.engine.mariadb.process.MariaDbProcess;
import io.multimed.engine.mariadb.process.StaleMariaDb;
import io.multimed.engine.mariadb.wire.EngineConnection;
import io.multimed.engine.process.CrashWatch;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The Master's engine: durable, and making no commit visible before the relay has acknowledged it.
 *
 * <p>Used by one thread, except {@link #connect}, {@link #socket}, {@link #account}, {@link #pid}, {@link #alive} and {@link
 * #frozen}.
 */
public final class MariaDbMaster {
    private static final Duration STALE_PATIENCE = Duration.ofSeconds(60);
    /** The name of Multimed's account in every engine. */
    private static final String USER = "multimed";

    private final MariaDbMasterConfig config;
    private final EngineFiles files;
    private final EngineAccount account = EngineAccount.fresh(USER);
    private volatile @Nullable MariaDbProcess process;
    private volatile CrashWatch watch = new CrashWatch(reason -> {});

    public MariaDbMaster(MariaDbMasterConfig config) {
        this.config = config;
        this.files = EngineFiles.place(config.runDirectory(), config.user());
    }

    /** Whether the data directory holds a complete database. */
    public boolean initialised() {
        return MariaDbData.exists(config.dataDirectory());
    }

    /** Makes a new database in the data directory, with the account {@code root} without a password; takes some seconds. */
    public void initialise() throws EngineException, InterruptedException {
        MariaDbData.initialise(config.dataDirectory(), config.binaries(), config.user());
    }

    /**
     * Starts the engine and returns once it accepts connections; recovery after a crash may take long. Commits then wait for the
     * relay.
     *
     * <p>An engine of Multimed's that an earlier run left behind is ended first.
     *
     * @param onCrash called once, from any thread, with the reason, if the engine ends later without {@link #stop}
     * @throws EngineException if it did not come up; no process of it is left then
     */
    public void start(Duration patience, Consumer<String> onCrash) throws EngineException, InterruptedException {
        config.user().requireReach("The data directory", config.dataDirectory());
        config.user().requireReach("The program", config.binaries().server());
        StaleMariaDb.end(files, STALE_PATIENCE);
        CrashWatch fresh = new CrashWatch(onCrash);
        watch = fresh;
        MariaDbProcess started = MariaDbProcess.start(
                new MariaDbProcess.Command(
                        config.binaries(),
                        "multimed-master",
                        files,
                        config.dataDirectory(),
                        MariaDbSettings.ofMaster(config),
                        account,
                        config.logFile(),
                        config.binding(),
                        List.of()),
                fresh::ended);
        process = started;
        fresh.started(started::reason);
        try {
            started.awaitReady(patience);
        } catch (EngineException | InterruptedException e) {
            fresh.expectEnd();
            started.kill();
            throw e;
        }
        fresh.ready();
    }

    /** Ends the engine in order; at once when {@code grace} has passed. */
    public void stop(Duration grace) throws InterruptedException {
        watch.expectEnd();
        MariaDbProcess running = process;
        if (running != null && !running.stop(grace)) {
            running.kill();
        }
    }

    /** Ends the engine at once; nothing that was acknowledged is lost. */
    public void kill() {
        watch.expectEnd();
        MariaDbProcess running = process;
        if (running != null) {
            running.kill();
        }
    }

    /** Connects as Multimed itself. Any thread; blocks. */
    public EngineConnection connect() throws IOException {
        MariaDbProcess running = process;
        if (running == null) {
            throw new IOException("the Master has not been started");
        }
        return running.connect();
    }

    /** Returns the private socket. */
    public Path socket() {
        return files.socket();
    }

    /** Returns the account of Multimed itself. */
    public EngineAccount account() {
        return account;
    }

    public Path dataDirectory() {
        return config.dataDirectory();
    }

    /** Returns the process ID; 0 if none runs. */
    public long pid() {
        MariaDbProcess running = process;
        return running != null && running.alive() ? running.pid() : 0;
    }

    public boolean alive() {
        return pid() != 0;
    }

    /** Whether its process is stopped (SIGSTOP). */
    public boolean frozen() {
        MariaDbProcess running = process;
        return running != null && running.frozen();
    }
}
