package io.multimed.engine.postgresql.cluster;

import io.multimed.core.spi.CopyProgress;
import io.multimed.core.spi.EngineException;
import io.multimed.core.spi.SatelliteControl;
import io.multimed.engine.files.NoRoomException;
import io.multimed.engine.postgresql.NodeAddress;
import io.multimed.engine.postgresql.copy.LeftOutFiles;
import io.multimed.engine.postgresql.process.ClusterProcesses;
import io.multimed.engine.postgresql.relay.ResumedLog;
import io.multimed.model.NodeId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Satellite's engine: a hot standby that is fed by the relay and reads from a copy of its own.
 *
 * <p>Driven by one worker thread, as {@link SatelliteControl} says, {@link #reload} too; {@link #address}, {@link #pid} and
 * {@link #kill} may be called from any.
 */
public final class SatelliteCluster implements SatelliteServer {
    private static final Logger log = LoggerFactory.getLogger(SatelliteCluster.class);

    private final SatelliteConfig config;
    private final MasterCluster master;
    private final Path run;
    private final SatellitePlace place;
    private final RunningSatellite engine;

    public SatelliteCluster(SatelliteConfig config, MasterCluster master) {
        this.config = config;
        this.master = master;
        this.run = RunDirectory.place(config.runDirectory(), config.user());
        ClusterProcesses family = ClusterProcesses.of(config.id().name(), config.dataDirectory());
        this.place = new SatellitePlace(config, master, family);
        this.engine = new RunningSatellite(config, place, run, family);
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
            place.endStaleEngine();
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
        place.copy(LeftOutFiles.NONE, progress, settings -> {
            Path signal = config.dataDirectory().resolve("standby.signal");
            config.user().files(() -> Files.createFile(signal));
            new CopyMarker(
                            CopyMarker.thisBoot(),
                            DataDirectory.systemIdentifier(config.dataDirectory()),
                            settings.limits())
                    .write(config.dataDirectory(), config.user());
        });
    }

    @Override
    public void discardData() throws EngineException {
        place.discardData();
    }

    /** @throws NoRoomException if the place where the data lies is full */
    @Override
    public void start(Runnable onExit) throws EngineException, InterruptedException {
        DataDirectory.requireCompatible(config.dataDirectory(), config.binaries());
        place.endStaleEngine();
        RunDirectory files = RunDirectory.open(run, config.user());
        CopyMarker marker = refreshSettings();
        engine.start(SatelliteSettings.of(config, files, run, marker.limits()), onExit);
    }

    @Override
    public void stop(Duration grace) throws InterruptedException {
        engine.stop(grace);
    }

    @Override
    public void kill() {
        engine.kill();
    }

    @Override
    public boolean frozen() {
        return engine.frozen();
    }

    @Override
    public Optional<String> lackOfRoom() {
        return place.lackOfRoom();
    }

    @Override
    public Duration replayDelay() {
        return SatelliteSettings.replayDelay(config.longReader(), config.settings());
    }

    @Override
    public NodeId id() {
        return config.id();
    }

    @Override
    public NodeAddress address() {
        return RunDirectory.address(run);
    }

    @Override
    public long pid() {
        return engine.pid();
    }

    @Override
    public void reload() throws EngineException {
        if (engine.pid() != 0 && CopyMarker.read(config.dataDirectory()).isPresent()) {
            refreshSettings();
            engine.reload();
        }
    }

    /** Queries the Master's settings again, if it answers, since they may have changed. */
    private CopyMarker refreshSettings() throws EngineException {
        CopyMarker marker = CopyMarker.read(config.dataDirectory())
                .orElseThrow(() -> new EngineException("There is no complete copy for " + config.id() + "."));
        try {
            MasterSettings settings = place.askMaster();
            Optional<String> configuration = settings.configuration();
            if (configuration.isPresent()) {
                place.writeConfiguration(configuration.get());
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
}
