package io.multimed.bench.client;

import java.util.concurrent.atomic.LongAdder;

/**
 * The outcomes reported to clients, over the whole life of a database. A transaction whose COMMIT was never answered may or may
 * not have committed.
 */
public class Told {
    private final LongAdder unanswered = new LongAdder();
    private final LongAdder wrong = new LongAdder();

    void unanswered() {
        unanswered.increment();
    }

    void wrong() {
        wrong.increment();
    }

    /** Returns the number of answers that cannot be right, whatever other clients do. */
    public long wrongAnswers() {
        return wrong.sum();
    }

    /** Returns the number of writing transactions whose COMMIT was sent and never answered. */
    public long unansweredCommits() {
        return unanswered.sum();
    }
}
