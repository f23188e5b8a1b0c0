package io.multimed.bench.full;

/** How early an experiment is repeated when there is time for some repetitions and not for all. */
enum Rank {
    /** What Multimed is judged by first. */
    HEADLINE,
    /** What a target is stated for. */
    TARGET,
    /** A figure of the papers, or of Multimed itself. */
    FIGURE
}
