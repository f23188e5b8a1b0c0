package io.multimed.sql;

/** Of which server processes a statement may ask the numbers. */
public enum Processes {
    NONE,
    /** The session's own. */
    OWN,
    /** Anybody's; it may also signal them. */
    ALL;

    /** The more of both. */
    public Processes and(Processes other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
