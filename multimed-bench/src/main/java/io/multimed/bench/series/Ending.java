package io.multimed.bench.series;

/** The end of a series, by its worst event. */
public enum Ending {
    /** Every run counts. */
    DONE,
    /** A run contradicted itself, or could not be carried out. */
    VOID,
    INTERRUPTED
}
