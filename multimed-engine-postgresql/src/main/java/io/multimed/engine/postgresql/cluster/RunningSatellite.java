package io.multimed.engine.postgresql.cluster;

import io.multimed.core.spi.EngineException;
import io.multimed.engine.files.NoRoomException;
import io.multimed.engine.files.Room;
import io.multimed.engine.postgresql.process.ClusterProcesses;
import io.multimed.engine.postgresql.process.EngineCommand;
import io.multimed.engine.postgresql.process.EngineProcess;
import io.multimed.engine.postgresql.process.StopMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The engine of a Satellite, from its start until its end. One worker thread starts and stops it; any thread may call the other
 * methods.
 */
final class RunningSatellite {
    /**
     * Longest standstill of replay at the start, while the Satellite replays the log since the copy began, which the Master
     * went on writing.
     */
    private static final Duration STANDSTILL = Duration.ofMinutes(10);

    private final SatelliteConfig config;
    private final SatellitePlace place;
    private final Path run;
    private final ClusterProcesses family;
    private volatile @Nullable EngineProcess process;

    RunningSatellite(SatelliteConfig config, SatellitePlace place, Path run, ClusterProcesses family) {
        this.config = config;
        this.place = place;
        this.run = run;
        this.family = family;
    }

    /**
     * Starts the engine and returns once it has replayed the log since its copy began and accepts connections.
     *
     * @throws NoRoomException if the place where the data lies is full
     */
    void start(Map<String, String> settings, Runnable onExit) throws EngineException, InterruptedException {
        EngineCommand command = new EngineCommand(
                config.binaries().postgres(),
                config.dataDirectory(),
                settings,
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
            place.releaseLog();
        }
    }

    void stop(Duration grace) throws InterruptedException {
        place.releaseLog();
        EngineProcess running = process;
        if (running != null) {
            running.stop(StopMode.FAST, grace);
            running.killAll();
        }
    }

    void kill() {
        place.releaseLog();
        EngineProcess running = process;
        if (running != null) {
            running.killAll();
        }
    }

    boolean frozen() {
        EngineProcess running = process;
        return running != null && running.frozen();
    }

    /** Returns the process ID of the postmaster; 0 if none runs. */
    long pid() {
        EngineProcess running = process;
        return running != null && running.alive() ? running.pid() : 0;
    }

    /** Makes the engine read its configuration files again. */
    void reload() {
        EngineProcess running = process;
        if (running != null) {
            running.reload();
        }
    }
}
