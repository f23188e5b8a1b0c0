package io.multimed.bench.series;

/** How a series ended; the worst of what happened. */
public enum Ending {
    /** Every run counts. */
    DONE,
    /** A run contradicted itself, or could not be carried out. */
    VOID,
    INTERRUPTED
}
