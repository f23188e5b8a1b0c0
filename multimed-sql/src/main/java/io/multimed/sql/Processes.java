package io.multimed.sql;

/** The facts about server processes that a statement may ask for. */
public enum Processes {
    NONE,
    /** The number of the session's own process. */
    OWN,
    /** The number of the session's own process, and the statements that the session has prepared. */
    OWN_AND_PREPARED,
    /** The numbers of all processes. The statement may also signal them. */
    ALL,
    ALL_AND_PREPARED;

    /** Returns the facts of both. */
    public Processes and(Processes other) {
        Processes more = compareTo(other) >= 0 ? this : other;
        return more == ALL && (asksPrepared() || other.asksPrepared()) ? ALL_AND_PREPARED : more;
    }

    /** Whether they include the numbers of all processes. */
    public boolean asksAll() {
        return this == ALL || this == ALL_AND_PREPARED;
    }

    /** Whether they include the session's prepared statements. */
    public boolean asksPrepared() {
        return this == OWN_AND_PREPARED || this == ALL_AND_PREPARED;
    }
}
