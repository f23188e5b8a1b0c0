package io.multimed.sim;

/** A guarantee was broken, or the simulation cannot go on. Run the seed again to see it again. */
public final class SimulationException extends RuntimeException {
    SimulationException(long seed, long nanos, Throwable cause) {
        super("seed " + seed + ", after " + nanos / 1_000 + " us: " + cause.getMessage(), cause);
    }
}
