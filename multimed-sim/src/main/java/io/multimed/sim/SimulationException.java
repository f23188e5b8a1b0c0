package io.multimed.sim;

/** Thrown if a guarantee was broken, or the simulation cannot go on. The same seed reproduces it. */
public final class SimulationException extends RuntimeException {
    SimulationException(long seed, long nanos, Throwable cause) {
        super("seed " + seed + ", after " + nanos / 1_000 + " us: " + cause.getMessage(), cause);
    }
}
