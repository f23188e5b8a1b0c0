package io.multimed.bench.load;

/** Is told how far loading has come. Calls come from any thread, one at a time. */
public interface LoadProgress {
    /** @param what goes on now, such as {@code "indexes"}; of {@code total} steps, {@code done} have been taken */
    void advanced(String what, int done, int total);
}
