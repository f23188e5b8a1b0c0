package io.multimed.sql;

/** A transaction isolation level as SQL names it. */
public enum Isolation {
    /** PostgreSQL executes it as READ COMMITTED. */
    READ_UNCOMMITTED,
    READ_COMMITTED,
    REPEATABLE_READ,
    SERIALIZABLE;

    /** As SQL writes it. */
    public String sql() {
        return name().replace('_', ' ');
    }
}
