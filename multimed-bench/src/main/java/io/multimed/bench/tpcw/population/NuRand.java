package io.multimed.bench.tpcw.population;

import java.util.random.RandomGenerator;

/** TPC-W's non-uniform choice: some values are drawn far more often than others. */
public final class NuRand {
    private NuRand() {}

    /** Returns NURand(a, 1, most) by its definition: 1 to {@code most}. */
    public static int draw(RandomGenerator random, int a, int most) {
        return ((random.nextInt(a + 1) | (1 + random.nextInt(most))) % most) + 1;
    }

    /** Returns the A with which customers are chosen among so many. */
    public static int forCustomers(int customers) {
        int a = 1023;
        for (long bound = 10_000; customers >= bound && a < 4_194_303; bound *= 4) {
            a = 4 * a + 3;
        }
        return a;
    }

    /** Returns the A with which keys of searches are chosen, by the number of items. */
    public static int forItems(int items) {
        return switch (items) {
            case 1_000 -> 63;
            case 10_000 -> 511;
            case 100_000 -> 4095;
            case 1_000_000 -> 32_767;
            default -> 524_287;
        };
    }
}
