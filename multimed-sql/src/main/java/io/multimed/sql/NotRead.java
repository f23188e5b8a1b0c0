package io.multimed.sql;

/** Why a statement is not offered to Satellites. */
public enum NotRead {
    /** INSERT, UPDATE, DELETE, MERGE or TRUNCATE: within a read-only transaction every node refuses it in the same words. */
    WRITES,
    /** It may write, locks or signals, or calls code that may. */
    MAY_WRITE,
    /** It was not understood, so it may do anything. */
    UNPARSED,
    /** It reads what only the Master has, or what each node would answer differently. */
    MASTER_ONLY
}
