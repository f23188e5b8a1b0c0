package io.multimed.model.plan;

/**
 * Divides the memory: some for the operating system and the middleware, the rest among the engines. A Satellite's copy of the data
 * in tmpfs is not part of its engine's share, so the engines together get only part of the rest.
 */
final class MemoryPlan {
    static final long MIB = 1L << 20;
    static final long GIB = 1L << 30;

    /** Memory below which a machine has the Master alone. */
    static final long LEAST_FOR_SATELLITE = 3 * GIB;

    private static final long FOR_SYSTEM_AND_MIDDLEWARE = 512 * MIB;

    private MemoryPlan() {}

    /** Returns the number of bytes for the Master's engine. */
    static long master(long memory, int satellites) {
        return satellites == 0 ? forEngines(memory) : forEngines(memory) / 2;
    }

    /** Returns the number of bytes for each Satellite's engine, without its copy of the data. */
    static long satellite(long memory, int satellites) {
        return forEngines(memory) / 4 / satellites;
    }

    private static long forEngines(long memory) {
        return Math.max(memory / 4, memory - FOR_SYSTEM_AND_MIDDLEWARE);
    }
}
