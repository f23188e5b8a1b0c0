package io.multimed.bench.projection;

/**
 * The Universal Scalability Law: throughput on n cores is {@code one * n / (1 + contention (n-1) + coherence n (n-1))}.
 *
 * @param one throughput on one core
 * @param contention share of the work that only one core at a time can do
 * @param coherence cost of coordination between each two cores
 */
record Usl(double one, double contention, double coherence) {
    double throughput(double cores) {
        return one * cores * efficiency(cores);
    }

    /** Returns the efficiency of each core; that of a core alone is 1. */
    double efficiency(double cores) {
        return 1 / (1 + contention * (cores - 1) + coherence * cores * (cores - 1));
    }
}
