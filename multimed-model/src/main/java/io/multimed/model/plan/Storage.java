package io.multimed.model.plan;

/** The place where a node keeps its data. */
public enum Storage {
    /** In memory (tmpfs): Satellites of the papers' configurations C1 and C2. */
    MEMORY,
    /** On disk: the Master always, Satellites in configuration C0. */
    DISK
}
