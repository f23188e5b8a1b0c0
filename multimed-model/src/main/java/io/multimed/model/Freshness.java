package io.multimed.model;

import java.time.Duration;

/** The commits that a read must see; chosen per connection or transaction with {@code SET multimed.freshness}. */
public sealed interface Freshness {
    /** Every commit acknowledged to anyone before the read began. The default. */
    Freshness STRONG = new Strong();
    /** Every commit that this session made or observed. */
    Freshness SESSION = new Session();
    /** The default of "eventual", for clients that set no maximal lag. */
    Eventual EVENTUAL = new Eventual(Duration.ofSeconds(1));

    record Strong() implements Freshness {}

    record Session() implements Freshness {}

    /**
     * Any prefix of the commit order that is at most this old, and never older than the state that the session has seen.
     *
     * @param maxLag not negative; values above {@link #LONGEST_LAG} are reduced to that
     */
    record Eventual(Duration maxLag) implements Freshness {
        /** A lag longer than any history of the floor, and short enough for calculations in nanoseconds. */
        public static final Duration LONGEST_LAG = Duration.ofDays(1);

        public Eventual {
            if (maxLag.isNegative()) {
                throw new IllegalArgumentException("negative lag: " + maxLag);
            }
            maxLag = maxLag.compareTo(LONGEST_LAG) > 0 ? LONGEST_LAG : maxLag;
        }
    }
}
