package io.multimed.endpoint.pg.backend;

import java.time.Duration;

/**
 * Limits for reads of several clients that share connections to a Satellite, one sent behind the other, and executions.
 *
 * @param connections number of connections kept busy side by side before reads share them
 * @param unitsEach number of units that may be under way on each connection; 1 for no sharing
 * @param coalescing whether identical reads that have to wait are executed once
 * @param patience half of the longest time that a session waits behind another
 */
public record ReadSharing(int connections, int unitsEach, boolean coalescing, Duration patience) {
    /** Number of connections with yielding processes that may be open for each connection that is kept busy. */
    public static final int YIELDING_EACH = 2;

    private static final Duration PATIENCE = Duration.ofMillis(10);

    public ReadSharing(int connections, int unitsEach) {
        this(connections, unitsEach, true, PATIENCE);
    }

    public ReadSharing(int connections, int unitsEach, Duration patience) {
        this(connections, unitsEach, true, patience);
    }

    public ReadSharing withCoalescing(boolean wanted) {
        return new ReadSharing(connections, unitsEach, wanted, patience);
    }

    /** Returns the share of one of several event loops. */
    public ReadSharing ofOne(int loops) {
        return new ReadSharing(Math.max(1, connections / loops), unitsEach, coalescing, patience);
    }
}
