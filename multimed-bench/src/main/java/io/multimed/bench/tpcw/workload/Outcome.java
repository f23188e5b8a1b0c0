package io.multimed.bench.tpcw.workload;

import java.util.function.Consumer;

/**
 * What an interaction has done, once it is committed.
 *
 * @param shown what the browser knows from now on
 * @param newCustomers inserted, 0 or 1
 * @param newAddresses inserted
 * @param emptySearch whether it was a search that found nothing
 */
record Outcome(Consumer<Visit> shown, int newCustomers, int newAddresses, boolean emptySearch) {
    static Outcome of(Consumer<Visit> shown) {
        return new Outcome(shown, 0, 0, false);
    }
}
