package io.multimed.endpoint.pg.backend;

/** Processor use of the engine's process behind one connection. */
final class ProcessorUse {
    private final EngineProcesses processes;
    private boolean yields;
    /** Processor time at the first look during the present unit, in nanoseconds; negative before the first look. */
    private long nanosSeen = -1;

    ProcessorUse(EngineProcesses processes) {
        this.processes = processes;
    }

    /** Records that the engine has answered the present unit. */
    void unitEnded() {
        nanosSeen = -1;
    }

    /** Called at intervals: whether the process has used {@code nanos} since the first look during the present unit. */
    boolean isBusyFor(int processId, long nanos) {
        long now = processes.processorNanos(processId);
        if (nanosSeen < 0) {
            nanosSeen = now;
            return false;
        }
        return now - nanosSeen >= nanos;
    }

    /** Lets the process leave the processors to others. To be called repeatedly, since that is not always possible at once. */
    void yieldToOthers(int processId) {
        yields = yields || processes.yieldToOthers(processId);
    }
}
