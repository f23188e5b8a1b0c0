package io.multimed.server.satellite;

import io.multimed.core.spi.CopyProgress;
import io.multimed.core.spi.EngineException;
import io.multimed.core.spi.SatelliteControl;
import io.multimed.engine.files.NoRoomException;
import io.multimed.engine.postgresql.cluster.SatelliteServer;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Satellite in memory that uses the disk if memory does not suffice (Docker's /dev/shm has 64 MB). A Satellite on disk is
 * represented by the same engine twice.
 *
 * <p>Called by the Satellite's worker; {@link #current} by any thread.
 *
 * @param <E> the kind of engine
 */
final class FallbackControl<E extends SatelliteServer> implements SatelliteControl {
    private static final Logger log = LoggerFactory.getLogger(FallbackControl.class);

    private final E memory;
    private final E disk;
    private volatile E current;

    // Accessed by the worker alone:
    private String told = "";
    /** Whether an engine ended or did not start for lack of memory, so that the next copy goes to disk. */
    private boolean full;

    FallbackControl(E memory, E disk) {
        this.memory = memory;
        this.disk = disk;
        this.current = memory;
    }

    /** Returns the engine in use. */
    E current() {
        return current;
    }

    @Override
    public boolean hasData() throws InterruptedException {
        return hasData(memory) || hasData(disk);
    }

    /**
     * Whether the cluster has data and room left. Without room the engine would end again as soon as it writes, and take the last
     * memory from others.
     */
    private boolean hasData(E cluster) throws InterruptedException {
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
        // At the next copy there may be enough memory again.
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

    /** Reports a reason as a warning once, however often the Satellite is copied. */
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

    /** Deletes the data in memory after an orderly shutdown; it would otherwise occupy tmpfs until deleted by hand. */
    void giveMemoryBack() {
        if (memory != disk) {
            giveBack(memory);
        }
    }

    private static void giveBack(SatelliteServer cluster) {
        try {
            cluster.discardData();
        } catch (EngineException e) {
            log.info("Nothing to give back: {}", e.getMessage());
        }
    }

    @Override
    public void start(Runnable onExit) throws EngineException, InterruptedException {
        E started = current;
        try {
            started.start(() -> {
                // The check is made now, because the end of the engine may have freed memory.
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

    /** Reloads the settings, see {@link SatelliteServer#reload}. Called by the worker. */
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
