package io.multimed.jdbc.sql;

/** What a statement is to the driver. */
public enum SqlKind {
    /** A query whose every call is harmless; a Satellite may answer it if the catalog agrees. */
    READ,
    /** Changes rows. */
    CHANGE,
    /** Changes no rows, but keeps others from changing them; told apart where update transactions may have to take turns. */
    LOCK,
    /** A call, a lock, or nobody knows what: the Master. */
    WRITE,
    /** Changes the catalog, or the settings of the database. */
    DDL,
    /** May have changed anything at all, definitions included. */
    OPAQUE,
    /** Changes what later statements of this session mean, on whichever node they run: followed on Satellites. */
    SETTING,
    /** Leaves something in the session of the Master that no other has, such as a temporary table. */
    PRIVATE,
    /** As {@link #WRITE}, but the engine commits what is open. */
    COMMITTING,
    /** {@link #PRIVATE}, and the engine commits what is open. */
    PRIVATE_COMMITTING,
    COMMIT,
    ROLLBACK,
    BEGIN,
    AUTOCOMMIT_ON,
    AUTOCOMMIT_OFF,
    /** Ends the database. */
    SHUTDOWN,
    /** {@code SET multimed.…}, {@code SHOW multimed.…} or {@code SHOW MULTIMED NODES}. */
    MULTIMED,
    /** Text with more than one statement, one of which is more than a query or a change of rows: {@link SqlText#parts}. */
    SEVERAL;

    /** Whether it belongs to an update transaction whatever comes after it, where these run one at a time. */
    public boolean takesTurn() {
        return this == CHANGE || this == LOCK || this == DDL || this == BEGIN;
    }

    /** Whether the driver has to do more than to hand the text to a node. */
    public boolean isSpecial() {
        return compareTo(WRITE) > 0;
    }
}
