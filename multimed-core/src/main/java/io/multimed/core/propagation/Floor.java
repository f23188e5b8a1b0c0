package io.multimed.core.propagation;

/** The position that a strong read must see: the SCN of the last commit that any client can have seen or had acknowledged. */
@FunctionalInterface
public interface Floor {
    /** Value for an unknown floor: only the Master can serve strong reads at present. */
    long UNKNOWN = -1;

    /** Returns the SCN, or {@link #UNKNOWN}. Thread-safe. */
    long floor();
}
