package io.multimed.server.startup;

/** Receives the progress of a start, for a user who waits. Implementations are thread-safe and must not block. */
public interface Progress {
    Progress SILENT = new Progress() {
        @Override
        public void step(String what) {}

        @Override
        public void advanced(String what, long doneBytes, long totalBytes) {}
    };

    /** Reports that a step has begun or an event has happened, in a few words. */
    void step(String what);

    /**
     * Reports the progress of a long step; called often.
     *
     * @param what name of the step, the same words each time
     * @param totalBytes an estimate; 0 if unknown
     */
    void advanced(String what, long doneBytes, long totalBytes);
}
