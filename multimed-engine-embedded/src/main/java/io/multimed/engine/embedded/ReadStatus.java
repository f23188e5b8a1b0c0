package io.multimed.engine.embedded;

import java.util.Map;

/**
 * Counts of a database's reads since the start, by the place where they ran, and their waiting times.
 *
 * @param onSatellites single reads and read-only transactions that Satellites took
 * @param onMaster those that no Satellite could take, by reason in a few words
 * @param waits number of times that a read had to wait for commits it must see, or to apply them itself
 * @param waitedNanos sum of those times
 * @param medianNanos upper bound of half of those times, in steps of an eighth
 * @param p99Nanos upper bound of 99 % of those times
 */
public record ReadStatus(
        long onSatellites, Map<String, Long> onMaster, long waits, long waitedNanos, long medianNanos, long p99Nanos) {
    /** Counts of an engine without replicas, where reads are not placed. */
    public static final ReadStatus NONE = new ReadStatus(0, Map.of(), 0, 0, 0, 0);
}
