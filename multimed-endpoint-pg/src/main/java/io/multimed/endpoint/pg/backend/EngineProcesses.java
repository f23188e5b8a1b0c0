package io.multimed.endpoint.pg.backend;

/** The processes of a Satellite's engine, one for each connection. Called on event loops; must not block. */
public interface EngineProcesses {
    /** Nothing is known of them. */
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

    /** Processor time that it has used, in nanoseconds; negative if that is not known. */
    long processorNanos(int processId);

    /** Whether it is not asleep: it has a processor now, or waits for one. */
    boolean isRunnable(int processId);

    /**
     * Has it get less of the processors, from now on, than others that want them.
     *
     * @return false if that is not possible now, and may be later
     */
    boolean yieldToOthers(int processId);
}
