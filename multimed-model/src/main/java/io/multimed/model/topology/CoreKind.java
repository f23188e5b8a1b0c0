package io.multimed.model.topology;

/** Machines with two kinds of cores exist; on others every core is a {@link #PERFORMANCE} core. */
public enum CoreKind {
    PERFORMANCE,
    EFFICIENCY
}
