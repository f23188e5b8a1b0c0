package io.multimed.jdbc.sql;

/** The kind of a statement, as the driver distinguishes them. */
public enum SqlKind {
    /** A query whose every call is harmless. A Satellite may answer it if the catalog agrees. */
    READ,
    /** A change of rows. */
    CHANGE,
    /**
     * A statement that changes no rows, but keeps others from changing them. It is a kind of its own because update transactions
     * may have to take turns.
     */
    LOCK,
    /** A call, a lock, or an unknown statement. It runs on the Master. */
    WRITE,
    /** A statement like {@link #WRITE} with which the engine cancels what other sessions are executing. */
    ENDS_OTHERS,
    /** A change of the catalog, or of the settings of the database. */
    DDL,
    /** A statement that may have changed anything, definitions included. */
    OPAQUE,
    /** A change of the meaning of later statements of this session on every node. It is repeated on Satellites. */
    SETTING,
    /** A statement that leaves something in the Master's session that no other session has, such as a temporary table. */
    PRIVATE,
    /** A statement like {@link #WRITE} with which the engine commits the open transaction. */
    COMMITTING,
    /** A statement like {@link #PRIVATE} with which the engine commits the open transaction. */
    PRIVATE_COMMITTING,
    COMMIT,
    ROLLBACK,
    BEGIN,
    AUTOCOMMIT_ON,
    AUTOCOMMIT_OFF,
    /** A statement that ends the database. */
    SHUTDOWN,
    /** {@code SET multimed.…}, {@code SHOW multimed.…} or {@code SHOW MULTIMED NODES}. */
    MULTIMED,
    /** A text with several statements, at least one of which is neither a query nor a change of rows: {@link SqlText#parts}. */
    SEVERAL;

    /** Whether the statement always belongs to an update transaction, where these run one at a time. */
    public boolean takesTurn() {
        return this == CHANGE || this == LOCK || this == DDL || this == BEGIN;
    }

    /** Whether the driver must do more than pass the text to a node. */
    public boolean isSpecial() {
        return compareTo(WRITE) > 0;
    }
}
