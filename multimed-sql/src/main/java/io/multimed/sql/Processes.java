package io.multimed.sql;

/** Facts about server processes that a statement may ask for. */
public enum Processes {
    NONE,
    /** The number of the session's own process. */
    OWN,
    /** The same, and the statements that the session has prepared. */
    OWN_AND_PREPARED,
    /** The numbers of all processes; the statement may also signal them. */
    ALL,
    ALL_AND_PREPARED;

    /** The facts of both. */
    public Processes and(Processes other) {
        Processes more = compareTo(other) >= 0 ? this : other;
        return more == ALL && (asksPrepared() || other.asksPrepared()) ? ALL_AND_PREPARED : more;
    }

    /** Whether the numbers of all processes are among them. */
    public boolean asksAll() {
        return this == ALL || this == ALL_AND_PREPARED;
    }

    /** Whether the session's prepared statements are among them. */
    public boolean asksPrepared() {
        return this == OWN_AND_PREPARED || this == ALL_AND_PREPARED;
    }
}
