package io.multimed.core.propagation;

/** What a strong read must see: the SCN of the last commit that anyone can have seen or been told of. */
@FunctionalInterface
public interface Floor {
    /** Nothing can be said at present: only the Master will do. */
    long UNKNOWN = -1;

    /** The SCN, or {@link #UNKNOWN}. Any thread. */
    long floor();
}
