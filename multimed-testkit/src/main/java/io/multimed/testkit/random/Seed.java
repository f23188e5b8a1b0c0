package io.multimed.testkit.random;

import java.util.concurrent.ThreadLocalRandom;

/**
 * The seed of a test with random cases. The suite uses the same ones each time, so that a failure is caused by the tested
 * change; {@code -DPROPERTY=new} uses others, {@code -DPROPERTY=N} those of a failure.
 */
public final class Seed {
    private static final long OF_THE_SUITE = 20_110_410;

    private Seed() {}

    /** @throws NumberFormatException if the property is neither a number nor {@code new} */
    public static long of(String property) {
        String chosen = System.getProperty(property);
        if (chosen == null) {
            return OF_THE_SUITE;
        }
        return chosen.equals("new") ? ThreadLocalRandom.current().nextLong(1L << 48) : Long.parseLong(chosen);
    }
}
