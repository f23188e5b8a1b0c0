package io.multimed.core.spi;

/** Asks the feeds for the applied SCN of their Satellites at once, because a reader waits. */
@FunctionalInterface
public interface ProgressRequest {
    /** Requests the applied SCN. Any thread; cheap and idempotent; never blocks. */
    void requestProgress();
}
