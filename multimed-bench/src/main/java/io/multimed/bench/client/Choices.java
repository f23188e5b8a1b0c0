package io.multimed.bench.client;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * The random choices of one interaction after the other. A transaction that is begun again chooses the same again, and what
 * comes after it does not depend on how often it was refused: otherwise the systems that are compared would not do the same.
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

    /** Another interaction begins. */
    void begin() {
        seed = seeds.nextLong();
        repeat();
    }

    /** The present one begins again. */
    void repeat() {
        current = new SplittableRandom(seed);
    }

    @Override
    public long nextLong() {
        return current.nextLong();
    }
}
