package io.multimed.sql;

/** The reason why a statement is not offered to Satellites. */
public enum NotRead {
    /**
     * The statement is INSERT, UPDATE, DELETE, MERGE or TRUNCATE. Within a read-only transaction every node refuses it with the
     * same message.
     */
    WRITES,
    /** The statement may write, lock or signal, or calls code that may. */
    MAY_WRITE,
    /** The statement was not understood, so it may do anything. */
    UNPARSED,
    /** The statement reads data that only the Master has, or that differs from node to node. */
    MASTER_ONLY
}
