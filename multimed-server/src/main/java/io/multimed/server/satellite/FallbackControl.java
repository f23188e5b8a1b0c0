package io.multimed.server.satellite;

import io.multimed.engine.CopyProgress;
import io.multimed.engine.EngineException;
import io.multimed.engine.SatelliteControl;
import io.multimed.engine.postgresql.NoRoomException;
import io.multimed.engine.postgresql.cluster.SatelliteCluster;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Satellite in memory that goes to disk where memory does not suffice (Docker's /dev/shm has 64 MB); or one on disk,
 * given the same engine twice.
 *
 * <p>Driven by the Satellite's worker; {@link #current} by any thread.
 */
final class FallbackControl implements SatelliteControl {
    private static final Logger log = LoggerFactory.getLogger(FallbackControl.class);

    private final SatelliteCluster memory;
    private final SatelliteCluster disk;
    private volatile SatelliteCluster current;

    // The worker's alone:
    private String told = "";
    /** Whether an engine ended or did not come up for want of memory: the next copy goes to disk. */
    private boolean full;

    FallbackControl(SatelliteCluster memory, SatelliteCluster disk) {
        this.memory = memory;
        this.disk = disk;
        this.current = memory;
    }

    /** The engine in use. */
    SatelliteCluster current() {
        return current;
    }

    @Override
    public boolean hasData() throws InterruptedException {
        return hasData(memory) || hasData(disk);
    }

    /** Not where there is no room left: the engine would end again as soon as it writes, and take the last of it from others. */
    private boolean hasData(SatelliteCluster cluster) throws InterruptedException {
        if (!cluster.hasData()) {
            return false;
        }
        Optional<String> lack = cluster.lackOfRoom();
        if (lack.isEmpty()) {
            current = cluster;
            return true;
        }
        if (cluster != disk) {
            tell(lack.get() + ".");
            full = true;
        }
        giveBack(cluster);
        return false;
    }

    @Override
    public void copyFromMaster(CopyProgress progress) throws EngineException, InterruptedException {
        if (memory == disk) {
            disk.copyFromMaster(progress);
            return;
        }
        boolean triesMemory = !full;
        // By the next copy there may be memory again.
        full = false;
        if (triesMemory) {
            disk.discardData();
            try {
                current = memory;
                memory.copyFromMaster(progress);
                return;
            } catch (NoRoomException e) {
                tell(String.valueOf(e.getMessage()));
            }
        }
        giveMemoryBack();
        current = disk;
        disk.copyFromMaster(progress);
    }

    /** Once, however often it is copied. */
    private void tell(String reason) {
        String what = memory.id() + " does not fit into memory and goes to disk: " + reason
                + " Where it goes is a matter of satellites.memory_directory and satellites.storage.";
        if (what.equals(told)) {
            log.info("{}", what);
        } else {
            log.warn("{}", what);
        }
        told = what;
    }

    /** After an orderly end: what lies in tmpfs would hold its memory until somebody deletes it. */
    void giveMemoryBack() {
        if (memory != disk) {
            giveBack(memory);
        }
    }

    private static void giveBack(SatelliteCluster cluster) {
        try {
            cluster.discardData();
        } catch (EngineException e) {
            log.info("Nothing to give back: {}", e.getMessage());
        }
    }

    @Override
    public void start(Runnable onExit) throws EngineException, InterruptedException {
        SatelliteCluster started = current;
        try {
            started.start(() -> {
                // Now: its end may have made some.
                started.lackOfRoom().ifPresent(lack -> log.warn("The engine of {} ends: {}", started.id(), lack));
                onExit.run();
            });
        } catch (NoRoomException e) {
            if (current != disk) {
                tell(String.valueOf(e.getMessage()));
                full = true;
            }
            throw e;
        }
    }

    /** By the worker; {@link SatelliteCluster#reload}. */
    void reload() {
        try {
            current.reload();
        } catch (EngineException e) {
            log.warn("{} keeps its settings: {}", memory.id(), e.getMessage());
        }
    }

    @Override
    public boolean frozen() {
        return current.frozen();
    }

    @Override
    public void stop(Duration grace) throws InterruptedException {
        current.stop(grace);
    }

    @Override
    public void kill() {
        current.kill();
    }
}
