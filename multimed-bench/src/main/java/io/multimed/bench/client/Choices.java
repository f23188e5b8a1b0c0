package io.multimed.bench.client;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * The random choices of one interaction after the other. A transaction that is begun again makes the same choices again. The
 * later choices do not depend on the number of repetitions: otherwise the compared systems would not do the same work.
 */
public final class Choices implements RandomGenerator {
    private final RandomGenerator seeds;
    private long seed;
    private RandomGenerator current;

    /** @param seeds gives each interaction its own seed */
    public Choices(RandomGenerator seeds) {
        this.seeds = seeds;
        this.seed = seeds.nextLong();
        this.current = new SplittableRandom(seed);
    }

    /** Begins another interaction. */
    void begin() {
        seed = seeds.nextLong();
        repeat();
    }

    /** Begins the present interaction again. */
    void repeat() {
        current = new SplittableRandom(seed);
    }

    @Override
    public long nextLong() {
        return current.nextLong();
    }
}
