package io.multimed.engine.postgresql.cluster;

import io.multimed.core.spi.EngineException;
import io.multimed.core.spi.SatelliteControl;
import io.multimed.engine.postgresql.NodeAddress;
import io.multimed.model.NodeId;
import java.time.Duration;
import java.util.Optional;

/** The PostgreSQL engine of a Satellite, full or partial, with its data. Methods without a remark belong to the worker thread. */
public interface SatelliteServer extends SatelliteControl {
    NodeId id();

    /** Returns the place of its socket. Any thread. */
    NodeAddress address();

    /** Returns the process ID of the postmaster; 0 if none runs. Any thread. */
    long pid();

    /** Deletes the Satellite's data, which gives back its memory; the engine must not run. */
    void discardData() throws EngineException;

    /**
     * Returns why an engine on its data cannot go on for long, in one sentence without its full stop; empty while there is room
     * for its files. Any thread.
     */
    Optional<String> lackOfRoom();

    /** Returns the longest time that its progress may wait for readers. */
    Duration replayDelay();

    /**
     * Adopts changes of the Master's configuration files, as the Master has.
     *
     * @throws EngineException if the configuration cannot be written
     */
    void reload() throws EngineException;
}
