package io.multimed.core.node;

import java.time.Duration;

/**
 * The replay of a fed Satellite from one tick to the next. It finds a Satellite that has applied nothing for too long although it
 * lacks commits. Its feed answers, but replay is paused (because of a setting that the Master has raised), stopped, or blocked for
 * good. Its log would grow for ever.
 *
 * @param applied the SCN that the Satellite had applied at the last tick
 * @param standing time for which it has applied nothing although it lacks commits, in nanoseconds, as of {@code asOf}
 * @param asOf monotonic nanoseconds of the last tick
 */
record ReplayProgress(long applied, long standing, long asOf) {
    /** The longest time that counts from one tick to the next: while Multimed itself was stopped the Satellite was not observed. */
    private static final long LONGEST_STEP = Duration.ofSeconds(1).toNanos();

    /** Returns the progress of a Satellite whose position is not yet known, as after its feed has connected. */
    static ReplayProgress unknown(long now) {
        return new ReplayProgress(0, 0, now);
    }

    /**
     * Returns the progress at a tick.
     *
     * <p>Without a floor no commit is known to be lacking: the log received last may be half a record, which ends only when the
     * Master is back.
     */
    ReplayProgress at(SatelliteEvent.Tick tick, long now) {
        if (tick.applied() != applied || tick.applied() >= tick.floor()) {
            return new ReplayProgress(tick.applied(), 0, now);
        }
        return new ReplayProgress(applied, standing + Math.min(now - asOf, LONGEST_STEP), now);
    }

    boolean standsStill(SatellitePolicy policy) {
        return standing >= policy.standstill().toNanos();
    }
}
