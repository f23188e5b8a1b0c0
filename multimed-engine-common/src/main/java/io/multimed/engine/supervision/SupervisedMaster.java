package io.multimed.engine.supervision;

import io.multimed.core.spi.EngineException;
import java.util.function.Consumer;

/** The Master's engine as its supervisor uses it. Calls block; one thread. */
public interface SupervisedMaster {
    /**
     * Starts the engine and returns once it accepts connections.
     *
     * @param onCrash called once, from any thread, if it ends later without having been stopped
     */
    void start(Consumer<String> onCrash) throws EngineException, InterruptedException;

    /** Kills every process of the engine at once, without a call of {@code onCrash}. */
    void kill();

    /** Whether its main process is stopped (SIGSTOP, a debugger), so that it accepts no connections. Must not block. */
    boolean frozen();
}
