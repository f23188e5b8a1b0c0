package io.multimed.engine.postgresql.cluster;

import io.multimed.core.spi.CopyProgress;
import io.multimed.core.spi.EngineException;
import io.multimed.core.spi.SatelliteControl;
import io.multimed.engine.postgresql.NoRoomException;
import io.multimed.engine.postgresql.NodeAddress;
import io.multimed.engine.postgresql.Room;
import io.multimed.engine.postgresql.catalog.AdminConnection;
import io.multimed.engine.postgresql.copy.DataDirectoryCopy;
import io.multimed.engine.postgresql.copy.HeldLog;
import io.multimed.engine.postgresql.process.ClusterProcesses;
import io.multimed.engine.postgresql.process.EngineCommand;
import io.multimed.engine.postgresql.process.EngineProcess;
import io.multimed.engine.postgresql.process.StaleEngine;
import io.multimed.engine.postgresql.process.StopMode;
import io.multimed.engine.postgresql.relay.ResumedLog;
import io.multimed.model.NodeId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Satellite's engine: a hot standby that is fed by the relay and reads from a copy of its own.
 *
 * <p>Driven by one worker thread, as {@link SatelliteControl} says, {@link #reload} too; {@link #address}, {@link #pid} and
 * {@link #kill} may be called from any.
 */
public final class SatelliteCluster implements SatelliteControl {
    /**
     * Longest standstill of replay at the start, while the Satellite replays the log since the copy began, which the Master
     * went on writing.
     */
    private static final Duration STANDSTILL = Duration.ofMinutes(10);

    private static final Duration STALE_PATIENCE = Duration.ofSeconds(5);

    private static final Logger log = LoggerFactory.getLogger(SatelliteCluster.class);

    private final SatelliteConfig config;
    private final MasterCluster master;
    private final Path run;
    private final ClusterProcesses family;
    private final AtomicReference<@Nullable HeldLog> held = new AtomicReference<>();
    private volatile @Nullable EngineProcess process;

    public SatelliteCluster(SatelliteConfig config, MasterCluster master) {
        this.config = config;
        this.master = master;
        this.run = RunDirectory.place(config.runDirectory(), config.user());
        this.family = ClusterProcesses.of(config.id().name(), config.dataDirectory());
    }

    /**
     * Whether there is data to resume from: of this Master, completely copied, not orphaned by a restart of the machine, and
     * without changes that the Master's log lacks. The part of the Satellite's own log that the Master does not have is cut
     * off.
     */
    @Override
    public boolean hasData() throws InterruptedException {
        Optional<CopyMarker> marker = CopyMarker.read(config.dataDirectory());
        try {
            if (marker.isEmpty()
                    || !marker.get().boot().equals(CopyMarker.thisBoot())
                    || marker.get().cluster() != DataDirectory.systemIdentifier(master.dataDirectory())) {
                return false;
            }
            StaleEngine.end(family, config.dataDirectory(), StopMode.IMMEDIATE, STALE_PATIENCE);
            ResumedLog.reconcile(config.dataDirectory(), master.dataDirectory(), config.user());
            return true;
        } catch (EngineException e) {
            log.info("{} cannot go on from its data and is copied anew: {}", config.id(), e.getMessage());
            return false;
        }
    }

    /**
     * @throws NoRoomException if the place for the data has no room or does not exist
     */
    @Override
    public void copyFromMaster(CopyProgress progress) throws EngineException, InterruptedException {
        StaleEngine.end(family, config.dataDirectory(), StopMode.IMMEDIATE, STALE_PATIENCE);
        try {
            makePlace();
            discardData();
        } catch (EngineException e) {
            throw new NoRoomException(String.valueOf(e.getMessage()), e);
        }
        DataDirectoryCopy copy = new DataDirectoryCopy(
                master.address(),
                DataDirectory.SUPERUSER,
                master.dataDirectory(),
                config.dataDirectory(),
                config.tablespaces(),
                config.binaries().major(),
                config.user(),
                config.binding());
        MasterSettings settings = settingsOfMaster();
        StorageSpace.require(config, copy.estimate(), settings.logBytes());
        boolean complete = false;
        try {
            holdLog(StorageSpace.forLog(settings.logBytes()));
            copy.run(progress);
            Path signal = config.dataDirectory().resolve("standby.signal");
            config.user().files(() -> Files.createFile(signal));
            new CopyMarker(
                            CopyMarker.thisBoot(),
                            DataDirectory.systemIdentifier(config.dataDirectory()),
                            settings.limits())
                    .write(config.dataDirectory(), config.user());
            complete = true;
        } catch (IOException e) {
            throw NoRoomException.ifFull(
                    config.dataDirectory(),
                    "Cannot complete the copy for " + config.id() + ": " + e.getMessage() + ".",
                    e);
        } finally {
            if (!complete) {
                releaseLog();
                discardData();
            }
        }
    }

    /**
     * Makes the Master keep its log until the copy's engine has replayed it.
     *
     * @param room bytes that the Master itself needs
     */
    private void holdLog(long room) throws EngineException, InterruptedException {
        releaseLog();
        try {
            held.set(HeldLog.from(
                    master.address(),
                    DataDirectory.SUPERUSER,
                    master.dataDirectory().resolve("pg_wal"),
                    room));
        } catch (SQLException e) {
            throw failed("Cannot have the Master keep log for a copy", e);
        }
    }

    private void releaseLog() {
        HeldLog released = held.getAndSet(null);
        if (released != null) {
            released.close();
        }
    }

    /** Deletes the Satellite's data, which gives back its memory; the engine must not run. */
    public void discardData() throws EngineException {
        try {
            // The marker first: half-deleted data must not count as data.
            Path marker = CopyMarker.path(config.dataDirectory());
            config.user().files(() -> Files.deleteIfExists(marker));
            config.user().deleteTree(config.dataDirectory());
            config.user().deleteTree(config.tablespaces());
        } catch (IOException e) {
            throw new EngineException("Cannot delete the data of " + config.id() + ": " + e + ".", e);
        }
    }

    /** @throws NoRoomException if the place where the data lies is full */
    @Override
    public void start(Runnable onExit) throws EngineException, InterruptedException {
        DataDirectory.requireCompatible(config.dataDirectory(), config.binaries());
        StaleEngine.end(family, config.dataDirectory(), StopMode.IMMEDIATE, STALE_PATIENCE);
        RunDirectory files = RunDirectory.open(run, config.user());
        CopyMarker marker = refreshSettings();
        EngineCommand command = new EngineCommand(
                config.binaries().postgres(),
                config.dataDirectory(),
                SatelliteSettings.of(config, files, run, marker.limits()),
                family,
                config.logFile(),
                config.user(),
                config.binding(),
                // A tablespace that is created on the Master from now on names the same directory here, which holds the
                // Master's files. The Satellite fails instead of writing there, and its next copy has a directory of
                // its own for it.
                List.of(config.dataDirectory(), config.tablespaces(), run),
                StopMode.IMMEDIATE);
        EngineProcess started = EngineProcess.start(command, onExit);
        process = started;
        try {
            started.awaitReplayed(STANDSTILL, () -> Room.isLacking(config.dataDirectory()));
        } catch (EngineException e) {
            started.killAll();
            throw NoRoomException.ifFull(config.dataDirectory(), String.valueOf(e.getMessage()), e);
        } catch (InterruptedException e) {
            started.killAll();
            throw e;
        } finally {
            // The Satellite has replayed the log written during the copy; the rest is a lag like any other.
            releaseLog();
        }
    }

    @Override
    public void stop(Duration grace) throws InterruptedException {
        releaseLog();
        EngineProcess running = process;
        if (running != null) {
            running.stop(StopMode.FAST, grace);
            running.killAll();
        }
    }

    @Override
    public void kill() {
        releaseLog();
        EngineProcess running = process;
        if (running != null) {
            running.killAll();
        }
    }

    @Override
    public boolean frozen() {
        EngineProcess running = process;
        return running != null && running.frozen();
    }

    /**
     * Returns why an engine on its data cannot go on for long, in one sentence without its full stop; empty while there is room
     * for its files. Any thread.
     */
    public Optional<String> lackOfRoom() {
        return Room.isLacking(config.dataDirectory())
                ? Optional.of("there is no room left for it: only " + Room.left(config.dataDirectory()))
                : Optional.empty();
    }

    /** Returns the longest time that its replay may wait for readers. */
    public Duration replayDelay() {
        return SatelliteSettings.replayDelay(config.longReader(), config.settings());
    }

    public NodeId id() {
        return config.id();
    }

    public NodeAddress address() {
        return RunDirectory.address(run);
    }

    /** Returns the process ID of the postmaster; 0 if none runs. */
    public long pid() {
        EngineProcess running = process;
        return running != null && running.alive() ? running.pid() : 0;
    }

    /**
     * Adopts changes of the Master's configuration files, as the Master has.
     *
     * @throws EngineException if the configuration cannot be written
     */
    public void reload() throws EngineException {
        EngineProcess running = process;
        if (running != null
                && running.alive()
                && CopyMarker.read(config.dataDirectory()).isPresent()) {
            refreshSettings();
            running.reload();
        }
    }

    /** Queries the Master's settings again, if it answers, since they may have changed. */
    private CopyMarker refreshSettings() throws EngineException {
        CopyMarker marker = CopyMarker.read(config.dataDirectory())
                .orElseThrow(() -> new EngineException("There is no complete copy for " + config.id() + "."));
        try {
            MasterSettings settings = askMaster();
            Optional<String> configuration = settings.configuration();
            if (configuration.isPresent()) {
                writeConfiguration(configuration.get());
            }
            CopyMarker fresh = new CopyMarker(marker.boot(), marker.cluster(), settings.limits());
            fresh.write(config.dataDirectory(), config.user());
            return fresh;
        } catch (SQLException e) {
            return marker;
        } catch (IOException e) {
            throw NoRoomException.ifFull(
                    config.dataDirectory(), "Cannot write the settings of " + config.id() + ": " + e + ".", e);
        }
    }

    /** Replaces the copied configuration, so that no setting remains that the Master no longer has. */
    private void writeConfiguration(String text) throws IOException {
        Path file = config.dataDirectory().resolve("postgresql.conf");
        Path whole = config.dataDirectory().resolve("postgresql.conf.tmp");
        config.user().files(() -> {
            Files.writeString(whole, text);
            return Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
        });
    }

    private MasterSettings settingsOfMaster() throws EngineException, InterruptedException {
        try {
            return askMaster();
        } catch (SQLException e) {
            throw failed("Cannot ask the Master what a copy needs", e);
        }
    }

    /**
     * @return the exception to throw, unless an interrupt caused the failure
     */
    private static EngineException failed(String what, SQLException cause) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return new EngineException(what + ": " + cause.getMessage() + ".", cause);
    }

    private MasterSettings askMaster() throws SQLException {
        try (Connection connection = AdminConnection.open(master.address(), DataDirectory.SUPERUSER, "postgres")) {
            return MasterSettings.read(connection);
        }
    }

    private void makePlace() throws EngineException {
        Path parent = config.dataDirectory().getParent();
        if (parent == null) {
            throw new EngineException("Not a place for data: " + config.dataDirectory() + ".");
        }
        // In /dev/shm any user may have put a link there.
        boolean there =
                config.inMemory() ? Files.isDirectory(parent, LinkOption.NOFOLLOW_LINKS) : Files.isDirectory(parent);
        if (!there) {
            config.user().privateDirectory(parent);
        }
        config.user().requireTrusted(parent);
        config.user().requireReach("The directory of " + config.id(), parent);
        try {
            // The directory was root's, such as a disk's mount point: all below it is made and deleted as the engines'
            // user.
            config.user().own(parent.toRealPath());
        } catch (IOException e) {
            throw new EngineException("Cannot use " + parent + " for " + config.id() + ": " + e + ".", e);
        }
        if (config.inMemory()) {
            MemoryLeftovers.mark(parent, master.dataDirectory(), config.user());
        }
    }
}
