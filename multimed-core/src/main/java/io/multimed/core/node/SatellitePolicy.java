package io.multimed.core.node;

import java.time.Duration;

/**
 * Time limits of a Satellite's life cycle.
 *
 * @param suspectGrace time after which a Satellite that fell silent is killed
 * @param feedDeadline time that a started engine may take to connect its feed
 * @param stopGrace time that an orderly stop may take
 * @param firstBackoff pause before the second attempt; it doubles with every further failure. The first attempt after a period
 *     of stable service follows at once
 * @param maxBackoff longest pause
 * @param stableAfter time of serving after which earlier failures are forgotten
 * @param standstill time for which a Satellite that lacks commits may apply nothing before it is killed; longer than its replay
 *     may wait for readers
 */
public record SatellitePolicy(
        Duration suspectGrace,
        Duration feedDeadline,
        Duration stopGrace,
        Duration firstBackoff,
        Duration maxBackoff,
        Duration stableAfter,
        Duration standstill) {
    /** Default policy of a server. */
    public static final SatellitePolicy DEFAULT = new SatellitePolicy(
            Duration.ofSeconds(3),
            Duration.ofSeconds(30),
            Duration.ofSeconds(5),
            Duration.ofSeconds(1),
            Duration.ofSeconds(30),
            Duration.ofSeconds(30),
            Duration.ofSeconds(60));

    /** Returns this policy for a Satellite whose replay may wait for readers for {@code delay}. */
    public SatellitePolicy withReplayDelay(Duration delay) {
        return new SatellitePolicy(
                suspectGrace, feedDeadline, stopGrace, firstBackoff, maxBackoff, stableAfter, standstill.plus(delay));
    }

    /** Returns the pause before the next attempt after this many failures in a row. */
    Duration backoff(int failures) {
        if (failures <= 1) {
            return Duration.ZERO;
        }
        Duration pause = firstBackoff.multipliedBy(1L << Math.min(failures - 2, 20));
        return pause.compareTo(maxBackoff) < 0 ? pause : maxBackoff;
    }
}
