package io.multimed.bench.series;

import java.util.List;

/**
 * The time for which clients work before anything counts.
 *
 * @param least seconds
 * @param most seconds; where they are more, clients work until throughput has stopped rising, as it does once a JVM in the
 *     system has compiled its code
 */
public record Warmup(int least, int most) {
    /** Number of seconds that are compared with as many before them: one second alone differs too much from the next. */
    private static final int COMPARED = 3;

    private static final double RISING = 1.03;

    public Warmup {
        if (most < least) {
            throw new IllegalArgumentException("no warm-up of " + least + " to " + most + " s");
        }
    }

    /** Returns a warm-up of a fixed duration. */
    public static Warmup of(int seconds) {
        return new Warmup(seconds, seconds);
    }

    /** @param completed operations in each second so far */
    boolean enough(List<Integer> completed) {
        int seconds = completed.size();
        if (seconds >= most) {
            return true;
        }
        if (seconds < least || seconds < 2 * COMPARED) {
            return false;
        }
        return sum(completed, seconds - COMPARED) <= RISING * sum(completed, seconds - 2 * COMPARED);
    }

    private static int sum(List<Integer> completed, int from) {
        return completed.subList(from, from + COMPARED).stream()
                .mapToInt(Integer::intValue)
                .sum();
    }

    /** Returns the seconds for people: a number, or a range. */
    public String span() {
        return least == most ? Integer.toString(least) : least + " to " + most;
    }

    /** Returns the value of the command line's option. */
    public String option() {
        return least == most ? Integer.toString(least) : least + "-" + most;
    }

    /** Returns the text for results: a number of seconds if the duration is fixed. */
    public String text() {
        return least == most
                ? Integer.toString(least)
                : least + " to " + most + ", until throughput has stopped rising";
    }
}
