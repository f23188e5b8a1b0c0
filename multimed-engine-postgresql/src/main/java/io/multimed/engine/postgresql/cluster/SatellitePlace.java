package io.multimed.engine.postgresql.cluster;

import io.multimed.core.spi.CopyProgress;
import io.multimed.core.spi.EngineException;
import io.multimed.engine.files.NoRoomException;
import io.multimed.engine.files.Room;
import io.multimed.engine.postgresql.catalog.AdminConnection;
import io.multimed.engine.postgresql.copy.DataDirectoryCopy;
import io.multimed.engine.postgresql.copy.HeldLog;
import io.multimed.engine.postgresql.copy.LeftOutFiles;
import io.multimed.engine.postgresql.process.ClusterProcesses;
import io.multimed.engine.postgresql.process.StaleEngine;
import io.multimed.engine.postgresql.process.StopMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The place where a Satellite's data lies: made, filled with a copy of the Master's, deleted.
 *
 * <p>One worker thread, except {@link #releaseLog} and {@link #lackOfRoom}, which any thread may call.
 */
final class SatellitePlace {
    private static final Duration STALE_PATIENCE = Duration.ofSeconds(5);

    /** The last part of a copy, which makes the data complete. */
    interface Completion {
        void complete(MasterSettings settings) throws EngineException, IOException, SQLException;
    }

    private final SatelliteConfig config;
    private final MasterCluster master;
    private final ClusterProcesses family;
    private final AtomicReference<@Nullable HeldLog> held = new AtomicReference<>();

    SatellitePlace(SatelliteConfig config, MasterCluster master, ClusterProcesses family) {
        this.config = config;
        this.master = master;
        this.family = family;
    }

    /** Ends an engine of an earlier run that still uses the data. */
    void endStaleEngine() throws EngineException, InterruptedException {
        StaleEngine.end(family, config.dataDirectory(), StopMode.IMMEDIATE, STALE_PATIENCE);
    }

    /**
     * Replaces the data with a copy of the Master's. The Master keeps its log from the beginning of the copy until {@link
     * #releaseLog}, unless the copy fails.
     *
     * @throws NoRoomException if the place has no room or does not exist
     */
    void copy(LeftOutFiles leftOut, CopyProgress progress, Completion completion)
            throws EngineException, InterruptedException {
        endStaleEngine();
        try {
            make();
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
                leftOut,
                config.user(),
                config.binding());
        boolean complete = false;
        try {
            MasterSettings settings = askMaster();
            StorageSpace.require(config, copy.estimate(), settings.logBytes());
            holdLog(StorageSpace.forLog(settings.logBytes()));
            copy.run(progress);
            completion.complete(settings);
            complete = true;
        } catch (IOException e) {
            throw NoRoomException.ifFull(
                    config.dataDirectory(),
                    "Cannot complete the copy for " + config.id() + ": " + e.getMessage() + ".",
                    e);
        } catch (SQLException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            throw new EngineException("Cannot ask the Master what a copy needs: " + e.getMessage() + ".", e);
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
    private void holdLog(long room) throws SQLException {
        releaseLog();
        held.set(HeldLog.from(
                master.address(),
                DataDirectory.SUPERUSER,
                master.dataDirectory().resolve("pg_wal"),
                room));
    }

    void releaseLog() {
        HeldLog released = held.getAndSet(null);
        if (released != null) {
            released.close();
        }
    }

    /** Deletes the Satellite's data, which gives back its memory; the engine must not run. */
    void discardData() throws EngineException {
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

    /** Returns why an engine on the data cannot go on for long, see {@link SatelliteCluster#lackOfRoom}. */
    Optional<String> lackOfRoom() {
        return Room.isLacking(config.dataDirectory())
                ? Optional.of("there is no room left for it: only " + Room.left(config.dataDirectory()))
                : Optional.empty();
    }

    MasterSettings askMaster() throws SQLException {
        try (Connection connection = AdminConnection.open(master.address(), DataDirectory.SUPERUSER, "postgres")) {
            return MasterSettings.read(connection);
        }
    }

    /** Replaces the copied configuration, so that no setting remains that the Master no longer has. */
    void writeConfiguration(String text) throws IOException {
        Path file = config.dataDirectory().resolve("postgresql.conf");
        Path whole = config.dataDirectory().resolve("postgresql.conf.tmp");
        config.user().files(() -> {
            Files.writeString(whole, text);
            return Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE);
        });
    }

    private void make() throws EngineException {
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
