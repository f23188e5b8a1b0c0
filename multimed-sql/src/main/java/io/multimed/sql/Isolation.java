package io.multimed.sql;

/** A transaction isolation level of SQL. */
public enum Isolation {
    /** PostgreSQL treats this level as READ COMMITTED. */
    READ_UNCOMMITTED,
    READ_COMMITTED,
    REPEATABLE_READ,
    SERIALIZABLE;

    /** Returns the level in SQL's notation. */
    public String sql() {
        return name().replace('_', ' ');
    }
}
