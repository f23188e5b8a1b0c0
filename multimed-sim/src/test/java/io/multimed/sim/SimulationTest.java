package io.multimed.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Runs of seeds, each a whole life of a small Multimed with its faults.
 *
 * <p>{@code -Dmultimed.sim.seed=N} runs one seed, {@code -Dmultimed.sim.seeds=N} runs so many.
 */
class SimulationTest {
    private static final long FIRST = 1;
    private static final int SEEDS = Integer.getInteger("multimed.sim.seeds", 300);

    @Test
    void keepsEveryGuaranteeWhateverHappens() {
        Long only = Long.getLong("multimed.sim.seed");
        LongStream seeds = only == null ? LongStream.range(FIRST, FIRST + SEEDS) : LongStream.of(only);
        long[] total = new long[3];
        seeds.forEach(seed -> {
            Simulation.Outcome outcome = new Simulation(seed).run();
            total[0] += outcome.reads();
            total[1] += outcome.satelliteReads();
            total[2] += outcome.commits();
        });
        assertTrue(total[1] > total[0] / 4, "satellites served: " + total[1] + " of " + total[0] + " reads");
        assertTrue(total[2] > 0, "something was written");
    }

    @Test
    void sameSeedTakesTheSameCourse() {
        for (long seed = FIRST; seed < FIRST + 5; seed++) {
            assertEquals(new Simulation(seed).run(), new Simulation(seed).run(), "seed " + seed);
        }
    }

    @Test
    void otherSeedTakesAnotherCourse() {
        assertNotEquals(new Simulation(1).run().hash(), new Simulation(2).run().hash());
    }
}
