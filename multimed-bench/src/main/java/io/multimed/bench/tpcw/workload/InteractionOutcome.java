package io.multimed.bench.tpcw.workload;

import java.util.function.Consumer;

/**
 * The effects of an interaction, once it is committed.
 *
 * @param shown the change of the browser's state
 * @param newCustomers inserted, 0 or 1
 * @param newAddresses inserted
 * @param emptySearch whether it was a search that found nothing
 */
record InteractionOutcome(Consumer<Visit> shown, int newCustomers, int newAddresses, boolean emptySearch) {
    static InteractionOutcome of(Consumer<Visit> shown) {
        return new InteractionOutcome(shown, 0, 0, false);
    }
}
