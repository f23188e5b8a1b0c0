package io.multimed.engine.embedded;

/** How a Master's changes reach the secondaries. */
public enum Propagation {
    /** The rows that a transaction changed, taken from the engine's own transaction log. H2 and HSQLDB. */
    ROWS,
    /** The statements that it executed, executed again. Any JDBC engine, deterministic statements only. */
    STATEMENTS
}
