package io.multimed.sql;

/** The effects that a statement may leave behind in the backend that executed it, from weakest to strongest. */
public enum SessionEffect {
    /** No effect outlives the transaction. */
    NONE,
    /** Settings may have changed. They can be read back and carried to another backend. */
    SETTINGS,
    /** Unknown code was executed. The backend must be asked what it left behind. */
    OPAQUE,
    /** Objects were defined or dropped, and unknown code may have run with that. Treated as {@link #OPAQUE}. */
    DEFINITION,
    /**
     * State that cannot be carried to another backend: a temporary table, a session advisory lock, a cursor WITH HOLD, an SQL
     * PREPARE, a role or session authorization. The session keeps this backend until the backend reports that the state is gone.
     */
    PRIVATE,
    /**
     * Private state that the backend does not report when asked: a loaded library, a seed, a backup that has begun. The session
     * keeps this backend until it ends.
     */
    HIDDEN;

    /** Whether unknown code was executed, everything left behind by which the backend can report. */
    public boolean runsCode() {
        return this == OPAQUE || this == DEFINITION;
    }

    /** Returns the stronger of both. */
    public SessionEffect and(SessionEffect other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
