package io.multimed.model;

import java.time.Duration;

/** Which commits a read must see; chosen per connection or transaction with {@code SET multimed.freshness}. */
public sealed interface Freshness {
    /** Every commit acknowledged to anyone before the read began. The default. */
    Freshness STRONG = new Strong();
    /** Every commit that this session made or observed. */
    Freshness SESSION = new Session();

    record Strong() implements Freshness {}

    record Session() implements Freshness {}

    /**
     * Any prefix of the commit order that is at most this old, and never older than what the session has seen.
     *
     * @param maxLag not negative
     */
    record Eventual(Duration maxLag) implements Freshness {
        public Eventual {
            if (maxLag.isNegative()) {
                throw new IllegalArgumentException("negative lag: " + maxLag);
            }
        }
    }
}
