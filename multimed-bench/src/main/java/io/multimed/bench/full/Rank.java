package io.multimed.bench.full;

/** The order in which experiments are repeated when there is time for some repetitions and not for all. */
public enum Rank {
    /** The comparisons that show best how good Multimed is. */
    HEADLINE,
    /** Further comparisons with one PostgreSQL that are worth repetitions. */
    COMPARISON,
    /** A figure of the papers, or of Multimed itself. */
    FIGURE
}
