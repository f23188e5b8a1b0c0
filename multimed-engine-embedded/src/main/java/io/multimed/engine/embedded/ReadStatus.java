package io.multimed.engine.embedded;

import java.util.Map;

/**
 * Where the reads of a database have run since the start, and what they have waited for.
 *
 * @param onSatellites reads by themselves and read-only transactions that Satellites took
 * @param onMaster those that none could take, by why in a few words
 * @param waits how often a read had to wait, or apply itself, what it must see
 * @param waitedNanos how long in all
 * @param medianNanos which half of them took at most, in steps of an eighth
 * @param p99Nanos which 99 of 100 took at most
 */
public record ReadStatus(
        long onSatellites, Map<String, Long> onMaster, long waits, long waitedNanos, long medianNanos, long p99Nanos) {
    /** Of an engine alone, which nobody places reads on. */
    public static final ReadStatus NONE = new ReadStatus(0, Map.of(), 0, 0, 0, 0);
}
