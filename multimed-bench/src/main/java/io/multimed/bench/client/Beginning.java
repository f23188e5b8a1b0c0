package io.multimed.bench.client;

/** The ways in which transactions begin and say whether they are read-only. */
public enum Beginning {
    /** The driver does it, once its connection is told by {@code setReadOnly} and is not in auto-commit. */
    BY_DRIVER,
    /**
     * By statements, with the connection in auto-commit otherwise: MariaDB's Connector/J does not tell a server of {@code setReadOnly}.
     */
    BY_STATEMENTS;

    /** Returns the statement that begins a transaction; empty if the driver sends it. */
    String statement(boolean readOnly) {
        return this == BY_DRIVER ? "" : readOnly ? "START TRANSACTION READ ONLY" : "START TRANSACTION";
    }
}
