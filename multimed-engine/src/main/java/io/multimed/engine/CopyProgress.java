package io.multimed.engine;

/** Told now and then how far a copy has come; called from the copying thread. */
@FunctionalInterface
public interface CopyProgress {
    CopyProgress SILENT = (copied, total) -> {};

    /**
     * @param copiedBytes copied so far
     * @param totalBytes the present estimate of all that there is to copy
     */
    void copied(long copiedBytes, long totalBytes);
}
