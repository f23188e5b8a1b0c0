package io.multimed.model.plan;

/**
 * Divides the memory: some for the operating system and the middleware, the rest among the engines. A Satellite's copy
 * of the data in tmpfs comes out of what the engines leave, so they together take only part of it.
 */
final class MemoryPlan {
    static final long MIB = 1L << 20;
    static final long GIB = 1L << 30;

    /** Below this a machine has the Master alone. */
    static final long LEAST_FOR_SATELLITE = 3 * GIB;

    private static final long FOR_SYSTEM_AND_MIDDLEWARE = 512 * MIB;
    private static final long LEAST_BUFFERS = 16 * MIB;
    private static final long MOST_MASTER_BUFFERS = 16 * GIB;
    private static final long MOST_SATELLITE_BUFFERS = 8 * GIB;

    private MemoryPlan() {}

    /** Bytes for the Master's engine. */
    static long master(long memory, int satellites) {
        return satellites == 0 ? forEngines(memory) : forEngines(memory) / 2;
    }

    /** Bytes for each Satellite's engine, without its copy of the data. */
    static long satellite(long memory, int satellites) {
        return forEngines(memory) / 4 / satellites;
    }

    /** A quarter of the engine's memory, as PostgreSQL's manual advises (section 19.4.1). */
    static String masterBuffers(long budget) {
        return mebibytes(Math.min(MOST_MASTER_BUFFERS, budget / 4));
    }

    /** Half: a Satellite in memory has nothing else to cache, its files are memory already. */
    static String satelliteBuffers(long budget) {
        return mebibytes(Math.min(MOST_SATELLITE_BUFFERS, budget / 2));
    }

    /** What PostgreSQL's planner may assume to be cached. */
    static String effectiveCache(long budget) {
        return mebibytes(budget / 4 * 3);
    }

    private static long forEngines(long memory) {
        return Math.max(memory / 4, memory - FOR_SYSTEM_AND_MIDDLEWARE);
    }

    private static String mebibytes(long bytes) {
        return Math.max(LEAST_BUFFERS, bytes) / MIB + "MB";
    }
}
