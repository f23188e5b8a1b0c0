package io.multimed.core.spi;

/** Listener for the progress of a copy. Called from the copying thread from time to time. */
@FunctionalInterface
public interface CopyProgress {
    CopyProgress SILENT = (copied, total) -> {};

    /**
     * Reports progress.
     *
     * @param copiedBytes bytes copied so far
     * @param totalBytes present estimate of the size of the whole copy
     */
    void copied(long copiedBytes, long totalBytes);
}
