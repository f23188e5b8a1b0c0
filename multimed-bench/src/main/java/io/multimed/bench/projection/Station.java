package io.multimed.bench.projection;

/**
 * A place where work is done: all jobs there share its servers equally, none of them having more than one.
 *
 * @param servers cores; {@link #UNLIMITED} for a delay in which no job delays another
 * @param efficiency of each of them
 */
record Station(String name, int servers, double efficiency) {
    static final int UNLIMITED = Integer.MAX_VALUE;

    static Station delay(String name) {
        return new Station(name, UNLIMITED, 1);
    }

    /** Returns the seconds of service in a second for each of so many jobs. */
    double rate(int jobs) {
        return efficiency * Math.min(1, (double) servers / jobs);
    }
}
