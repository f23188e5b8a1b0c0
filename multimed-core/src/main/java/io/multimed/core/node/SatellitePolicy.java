package io.multimed.core.node;

import java.time.Duration;

/**
 * How patient the life cycle of a Satellite is.
 *
 * @param suspectGrace how long a Satellite that fell silent may take to speak up before it is killed
 * @param feedDeadline how long a started engine may take to connect its feed
 * @param stopGrace how long an orderly stop may take
 * @param firstBackoff pause before the second attempt; it doubles with every further failure. The first attempt after
 *     a time of good service follows at once
 * @param maxBackoff longest pause
 * @param stableAfter after serving for this long earlier failures are forgotten
 * @param standstill how long a Satellite may apply nothing of what it lacks before it is killed; longer than its replay may wait for
 *     readers
 */
public record SatellitePolicy(
        Duration suspectGrace,
        Duration feedDeadline,
        Duration stopGrace,
        Duration firstBackoff,
        Duration maxBackoff,
        Duration stableAfter,
        Duration standstill) {
    /** What a server uses unless told otherwise. */
    public static final SatellitePolicy DEFAULT = new SatellitePolicy(
            Duration.ofSeconds(3),
            Duration.ofSeconds(30),
            Duration.ofSeconds(5),
            Duration.ofSeconds(1),
            Duration.ofSeconds(30),
            Duration.ofSeconds(30),
            Duration.ofSeconds(60));

    /** The same for a Satellite whose replay may wait for readers for so long. */
    public SatellitePolicy withReplayDelay(Duration delay) {
        return new SatellitePolicy(
                suspectGrace, feedDeadline, stopGrace, firstBackoff, maxBackoff, stableAfter, standstill.plus(delay));
    }

    /** The pause before the next attempt after this many failures in a row. */
    Duration backoff(int failures) {
        if (failures <= 1) {
            return Duration.ZERO;
        }
        Duration pause = firstBackoff.multipliedBy(1L << Math.min(failures - 2, 20));
        return pause.compareTo(maxBackoff) < 0 ? pause : maxBackoff;
    }
}
