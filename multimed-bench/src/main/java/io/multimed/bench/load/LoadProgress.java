package io.multimed.bench.load;

/** The listener for the progress of loading. Calls come from any thread, one at a time. */
public interface LoadProgress {
    /**
     * @param what the present work, such as {@code "indexes"}; of {@code total} steps, {@code done} have been taken
     */
    void advanced(String what, int done, int total);
}
