package io.multimed.engine.embedded.spi;

/** What one commit changed: a write set. Immutable, shared by all Satellites, meaningful to its engine family alone. */
public interface Changes {
    /** How many rows, at least 1: the measure of what it costs to keep and to apply. */
    long rows();
}
