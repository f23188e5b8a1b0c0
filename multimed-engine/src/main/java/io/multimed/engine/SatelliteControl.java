package io.multimed.engine;

import java.time.Duration;

/**
 * Makes, starts and ends the engine of one Satellite. Every call may block; the core calls from one worker thread per
 * Satellite, so implementations need no locking of their own.
 *
 * <p>A copy or a start that is not wanted any more is broken off by interrupting the worker; {@link #kill} or
 * {@link #stop} is called next.
 */
public interface SatelliteControl {
    /** Whether data of an earlier run is there that {@link #start} can resume from; no engine of that run is left then. */
    boolean hasData() throws InterruptedException;

    /**
     * Replaces whatever data the Satellite has with a copy of the Master's, taken while the Master runs.
     *
     * @throws EngineException if the copy could not be completed; the Satellite then has no data
     */
    void copyFromMaster(CopyProgress progress) throws EngineException, InterruptedException;

    /**
     * Starts the engine and returns once it accepts read-only connections. Its feed may have to connect and bring log
     * before it does. An engine that crashed must not restart by itself, since it would answer from an older state
     * without anybody knowing.
     *
     * @param onExit called once, from any thread, when the engine's main process has ended for whatever reason
     * @throws EngineException if it did not come up; no process of it is left then
     */
    void start(Runnable onExit) throws EngineException, InterruptedException;

    /**
     * Whether the engine's main process has been stopped (SIGSTOP), so that it accepts no connections although its other
     * processes may go on. Asked some twenty times a second, by any thread while the worker is at something else: must
     * not block. An engine without a process of its own never is.
     */
    default boolean frozen() {
        return false;
    }

    /** Ends the engine, if there is one, in an orderly way, and by {@link #kill} when {@code grace} has passed. */
    void stop(Duration grace) throws InterruptedException;

    /** Ends the engine, if there is one, at once. No process of it is left when this returns, not even a stopped one. */
    void kill();
}
