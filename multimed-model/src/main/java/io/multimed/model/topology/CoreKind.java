package io.multimed.model.topology;

/** Kind of a core. On machines with only one kind of core, every core is a {@link #PERFORMANCE} core. */
public enum CoreKind {
    PERFORMANCE,
    EFFICIENCY
}
