package io.multimed.bench.full;

/** How early an experiment is repeated when there is time for some repetitions and not for all. */
enum Rank {
    /** The comparisons that show best how good Multimed is. */
    HEADLINE,
    /** The runs for which a target is stated. */
    TARGET,
    /** A figure of the papers, or of Multimed itself. */
    FIGURE
}
