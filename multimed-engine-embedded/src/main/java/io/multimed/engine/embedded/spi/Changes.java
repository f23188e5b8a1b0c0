package io.multimed.engine.embedded.spi;

/** The changes of one commit: a write set. Immutable, shared by all Satellites; only its engine family knows its contents. */
public interface Changes {
    /** Returns the number of changed rows, at least 1. It measures the cost of keeping and applying the changes. */
    long rows();
}
