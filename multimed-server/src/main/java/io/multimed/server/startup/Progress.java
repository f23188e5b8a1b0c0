package io.multimed.server.startup;

/** Told what a start is doing, for a person who waits. Any thread; must not block. */
public interface Progress {
    Progress SILENT = new Progress() {
        @Override
        public void step(String what) {}

        @Override
        public void advanced(String what, long doneBytes, long totalBytes) {}
    };

    /** Something has begun or happened, in a few words. */
    void step(String what);

    /**
     * A long step has come this far; called often.
     *
     * @param what names the step, the same words each time
     * @param totalBytes an estimate; 0 when unknown
     */
    void advanced(String what, long doneBytes, long totalBytes);
}
