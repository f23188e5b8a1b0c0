package io.multimed.bench.tpcw.workload;

import io.multimed.bench.client.Told;
import java.util.concurrent.atomic.LongAdder;

/**
 * The commits acknowledged to clients, over the whole life of a database, for comparison with its contents by the invariants.
 */
public final class TpcwTally extends Told {
    private final LongAdder orders = new LongAdder();
    private final LongAdder customers = new LongAdder();
    private final LongAdder addresses = new LongAdder();

    void committed(Interaction interaction, InteractionOutcome outcome) {
        if (interaction == Interaction.BUYC) {
            orders.increment();
        }
        customers.add(outcome.newCustomers());
        addresses.add(outcome.newAddresses());
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
}
