package io.multimed.endpoint.pg.backend;

/** Processor use of the engine's process behind one connection. */
final class ProcessorUse {
    private final EngineProcesses processes;
    private boolean yields;
    /** The unit that was under way at the latest look. */
    private long unitSeen;
    /** Processor time at the first look during that unit, in nanoseconds; negative before the first look. */
    private long nanosSeen = -1;

    ProcessorUse(EngineProcesses processes) {
        this.processes = processes;
    }

    /**
     * Called at intervals: whether the process has used {@code nanos} since the first look during the present unit.
     *
     * @param unit number of the present unit
     */
    boolean isBusyFor(int processId, long nanos, long unit) {
        long now = processes.processorNanos(processId);
        if (unitSeen != unit || nanosSeen < 0) {
            unitSeen = unit;
            nanosSeen = now;
            return false;
        }
        return now - nanosSeen >= nanos;
    }

    /** Returns the processor time used by the process, in nanoseconds; negative if unknown. */
    long nanos(int processId) {
        return processes.processorNanos(processId);
    }

    /** Whether the process is running or waiting for a processor. */
    boolean isRunnable(int processId) {
        return processes.isRunnable(processId);
    }

    /** Lets the process leave the processors to others. To be called repeatedly, since that is not always possible at once. */
    void yieldToOthers(int processId) {
        yields = yields || processes.yieldToOthers(processId);
    }
}
