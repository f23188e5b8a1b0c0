package io.multimed.jdbc.engine;

/** The place of a query's rows while an application fetches them, and the locks or snapshots that this holds on a replica. */
public enum Reading {
    /**
     * Rows are searched for while they are fetched, in a transaction that holds locks or a snapshot. Multimed requests scrollable
     * rows, reads all of them once, and ends the transaction before the application gets them. An engine without scrollable rows
     * reports an error when they are requested; one that closes rows with the transaction does so when the first is fetched.
     */
    SCROLLED,
    /** All rows are in memory when the query has been executed. Multimed ends the transaction at once. */
    IN_MEMORY,
    /**
     * Under auto-commit a query is a transaction of its own, which sees one snapshot and blocks no other session, however long its
     * rows are being fetched. Multimed lets the engine end it.
     */
    LASTING
}
