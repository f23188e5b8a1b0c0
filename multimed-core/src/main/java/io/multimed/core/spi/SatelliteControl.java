package io.multimed.core.spi;

import java.time.Duration;

/**
 * Makes, starts and ends the engine of one Satellite. Every call may block. The core calls from one worker thread per Satellite,
 * so implementations need no locking of their own.
 *
 * <p>To abort a copy or a start, the core interrupts the worker and then calls {@link #kill} or {@link #stop}.
 */
public interface SatelliteControl {
    /**
     * Whether there is data of an earlier run from which {@link #start} can resume. No engine of that run is left when this
     * returns.
     */
    boolean hasData() throws InterruptedException;

    /**
     * Replaces any data of the Satellite with a copy of the Master's, taken while the Master runs.
     *
     * @throws EngineException if the copy could not be completed; the Satellite then has no data
     */
    void copyFromMaster(CopyProgress progress) throws EngineException, InterruptedException;

    /**
     * Starts the engine and returns once it accepts read-only connections. The feed may have to connect and bring log before it
     * does. An engine that crashed must not restart by itself, since it would silently answer from an older state.
     *
     * @param onExit called once, from any thread, when the engine's main process has ended for whatever reason
     * @throws EngineException if it did not come up; no process of it is left then
     */
    void start(Runnable onExit) throws EngineException, InterruptedException;

    /**
     * Whether the engine's main process has been stopped (SIGSTOP), so that it accepts no connections although its other processes
     * may go on. Called about twenty times a second, by any thread while the worker is busy, so it must not block. Always false
     * for an engine without a process of its own.
     */
    default boolean frozen() {
        return false;
    }

    /** Ends the engine, if there is one, in an orderly way; after {@code grace} as {@link #kill} does. */
    void stop(Duration grace) throws InterruptedException;

    /** Ends the engine, if there is one, at once. No process of it is left when this returns, not even a stopped one. */
    void kill();
}
