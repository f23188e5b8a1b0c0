package io.multimed.engine.postgresql.writeset;

import java.util.List;

/** The transactions of a subscription, for tests of other packages. */
public final class TakenTransactions {
    private TakenTransactions() {}

    /** Takes everything up to a position, and reports it as done. */
    public static List<Transaction> until(Subscription subscription, long position) throws InterruptedException {
        return LogicalStreamTest.takeUntil(subscription, position);
    }
}
