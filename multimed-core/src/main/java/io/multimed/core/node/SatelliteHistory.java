package io.multimed.core.node;

/**
 * Facts about a Satellite that outlast its states.
 *
 * @param failures number of failures since the last period of stable service
 * @param incarnation number of starts of the engine so far. It distinguishes the end of an earlier engine from the end of the
 *     present one
 * @param silent whether the feed last reported that the Satellite does not answer. The beginning of silence is reported once, and
 *     its end may be reported in another state
 */
record SatelliteHistory(int failures, int incarnation, boolean silent) {
    static final SatelliteHistory NONE = new SatelliteHistory(0, 0, false);

    SatelliteHistory withFailures(int number) {
        return number == failures ? this : new SatelliteHistory(number, incarnation, silent);
    }

    SatelliteHistory withSilence(boolean now) {
        return now == silent ? this : new SatelliteHistory(failures, incarnation, now);
    }

    SatelliteHistory withNextIncarnation() {
        return new SatelliteHistory(failures, incarnation + 1, silent);
    }
}
