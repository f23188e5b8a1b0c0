package io.multimed.sql;

/** What a statement leaves behind in the backend that executed it, from least to most. */
public enum SessionEffect {
    /** Nothing that outlives the transaction. */
    NONE,
    /** Settings may differ afterwards; they can be read back and carried to another backend. */
    SETTINGS,
    /** Code nobody here has read was executed: the backend must be asked what it left behind. */
    OPAQUE,
    /** Objects were defined or dropped, and with that code nobody here has read may have been executed: as {@link #OPAQUE}. */
    DEFINITION,
    /**
     * Something that cannot be carried to another backend: a temporary table, a session advisory lock, a cursor WITH
     * HOLD, an SQL PREPARE, a role or session authorization. The session keeps this backend until the backend says that it
     * is gone.
     */
    PRIVATE,
    /**
     * Something private of which the backend says nothing when it is asked: a loaded library, a seed, a backup that has been
     * begun. The session keeps this backend for good.
     */
    HIDDEN;

    /** Whether code nobody here has read was executed, of which the backend can tell everything that it left behind. */
    public boolean runsCode() {
        return this == OPAQUE || this == DEFINITION;
    }

    /** The stronger of both. */
    public SessionEffect and(SessionEffect other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
