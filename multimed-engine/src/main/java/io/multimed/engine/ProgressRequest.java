package io.multimed.engine;

/** Asks the feeds for the applied SCN of their Satellites now, because a reader waits. */
@FunctionalInterface
public interface ProgressRequest {
    /** Any thread; cheap and idempotent; never blocks. */
    void requestProgress();
}
