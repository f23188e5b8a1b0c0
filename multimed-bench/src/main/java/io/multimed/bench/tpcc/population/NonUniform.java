package io.multimed.bench.tpcc.population;

import java.util.random.RandomGenerator;

/** TPC-C's non-uniform choice (2.1.6): some values are drawn far more often than others. */
public final class NonUniform {
    private static final int A_ITEM = 8191;
    private static final int A_CUSTOMER = 1023;
    private static final int A_NAME = 255;
    /** The constants of a run; that of names differs from the one for loading by 65 to 119, but not 96 or 112. */
    private static final int C_NAME_LOADED = 157;

    private static final int C_NAME_RUN = 223;
    private static final int C_CUSTOMER = 259;
    private static final int C_ITEM = 7911;
    private static final String[] SYLLABLES = {
        "BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING"
    };

    private NonUniform() {}

    private static int draw(RandomGenerator random, int a, int c, int least, int most) {
        int range = most - least + 1;
        return ((random.nextInt(a + 1) | (least + random.nextInt(range))) + c) % range + least;
    }

    public static int item(RandomGenerator random, TpccScale scale) {
        return draw(random, A_ITEM, C_ITEM, 1, scale.items());
    }

    public static int customer(RandomGenerator random, TpccScale scale) {
        return draw(random, A_CUSTOMER, C_CUSTOMER, 1, scale.customers());
    }

    /** Returns a last name that some customer has. */
    public static String name(RandomGenerator random, TpccScale scale) {
        return name(draw(random, A_NAME, C_NAME_RUN, 0, scale.names() - 1));
    }

    /** Returns the last name of a customer of the population. */
    static String nameLoaded(RandomGenerator random, TpccScale scale, int customer) {
        return name(
                customer <= scale.names() ? customer - 1 : draw(random, A_NAME, C_NAME_LOADED, 0, scale.names() - 1));
    }

    /** Returns three syllables, one for each digit (4.3.2.3). */
    static String name(int number) {
        return SYLLABLES[number / 100] + SYLLABLES[number / 10 % 10] + SYLLABLES[number % 10];
    }
}
