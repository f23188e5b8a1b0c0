package io.multimed.jdbc.engine;

/** Where the rows of a query are while an application fetches them, and what that holds up on a replica. */
public enum Reading {
    /**
     * Rows are found while they are fetched, in a transaction that holds locks or a snapshot. Multimed asks for rows that can be
     * scrolled through, reads all of them once, and ends the transaction before the application gets them. An engine without
     * such rows says so when it is asked; one that closes them with the transaction, when the first is fetched.
     */
    SCROLLED,
    /** All rows are in memory when the query has been executed: Multimed ends the transaction at once. */
    IN_MEMORY,
    /**
     * Under auto-commit a query is a transaction of its own, which sees one snapshot and holds up nobody however long its rows
     * are being fetched. Multimed leaves its end to the engine.
     */
    LASTING
}
