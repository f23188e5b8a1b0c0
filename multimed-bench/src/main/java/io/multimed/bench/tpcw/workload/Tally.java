package io.multimed.bench.tpcw.workload;

import java.util.concurrent.atomic.LongAdder;

/**
 * What clients have been told is committed, over the whole life of a database: the invariants compare it with what is there.
 * A transaction whose COMMIT was never answered may or may not count.
 */
public final class Tally {
    private final LongAdder orders = new LongAdder();
    private final LongAdder customers = new LongAdder();
    private final LongAdder addresses = new LongAdder();
    private final LongAdder unanswered = new LongAdder();
    private final LongAdder wrong = new LongAdder();

    void committed(Interaction interaction, Outcome outcome) {
        if (interaction == Interaction.BUYC) {
            orders.increment();
        }
        customers.add(outcome.newCustomers());
        addresses.add(outcome.newAddresses());
    }

    void unanswered() {
        unanswered.increment();
    }

    void wrong() {
        wrong.increment();
    }

    public long orders() {
        return orders.sum();
    }

    public long customers() {
        return customers.sum();
    }

    public long addresses() {
        return addresses.sum();
    }

    /** Answers that cannot be right, whatever other clients do. */
    public long wrongAnswers() {
        return wrong.sum();
    }

    /** Writing transactions that were sent COMMIT and never answered. */
    public long unansweredCommits() {
        return unanswered.sum();
    }
}
