package io.multimed.endpoint.pg.backend;

import java.time.Duration;

/**
 * How far reads of several clients share connections to a Satellite, one sent behind the other, and executions.
 *
 * @param connections as many are kept busy side by side before reads share them
 * @param unitsEach how many units may be under way on each; 1 for no sharing
 * @param coalescing whether what several ask for at the same time is executed once if it has to wait
 * @param patience nobody waits longer than two of these behind another
 */
public record ReadSharing(int connections, int unitsEach, boolean coalescing, Duration patience) {
    /** For each connection that is kept busy as many may be open whose processes leave the processors to others. */
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

    /** What is left to one of several event loops. */
    public ReadSharing ofOne(int loops) {
        return new ReadSharing(Math.max(1, connections / loops), unitsEach, coalescing, patience);
    }
}
