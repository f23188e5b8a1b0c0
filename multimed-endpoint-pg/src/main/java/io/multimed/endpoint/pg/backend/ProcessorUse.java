package io.multimed.endpoint.pg.backend;

/** How the engine's process of one connection uses the processors. */
final class ProcessorUse {
    private final EngineProcesses processes;
    private boolean yields;
    /** What it had used when it was first seen at the present unit, in nanoseconds; negative if it was not. */
    private long nanosSeen = -1;

    ProcessorUse(EngineProcesses processes) {
        this.processes = processes;
    }

    /** It has answered what it was sent. */
    void unitEnded() {
        nanosSeen = -1;
    }

    /** Called at intervals: whether it has used so much since it was first seen at the present unit. */
    boolean isBusyFor(int processId, long nanos) {
        long now = processes.processorNanos(processId);
        if (nanosSeen < 0) {
            nanosSeen = now;
            return false;
        }
        return now - nanosSeen >= nanos;
    }

    /** It is to leave the processors to others; called again, since that is not always possible at once. */
    void yieldToOthers(int processId) {
        yields = yields || processes.yieldToOthers(processId);
    }
}
