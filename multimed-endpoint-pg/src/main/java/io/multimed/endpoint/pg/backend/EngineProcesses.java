package io.multimed.endpoint.pg.backend;

/** The processes of a Satellite's engine, one for each connection. Called on event loops; must not block. */
public interface EngineProcesses {
    /** Processes that are not known. */
    EngineProcesses UNKNOWN = new EngineProcesses() {
        @Override
        public long processorNanos(int processId) {
            return -1;
        }

        @Override
        public boolean isRunnable(int processId) {
            return false;
        }

        @Override
        public boolean yieldToOthers(int processId) {
            return true;
        }
    };

    /** Returns the processor time used by the process, in nanoseconds; negative if unknown. */
    long processorNanos(int processId);

    /** Whether the process is running or waiting for a processor. */
    boolean isRunnable(int processId);

    /**
     * Lowers the process's share of the processors, from now on, in favour of others that want them.
     *
     * @return false if that is not possible now but may be later
     */
    boolean yieldToOthers(int processId);
}
