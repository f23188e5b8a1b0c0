package io.multimed.bench.tpcc.workload;

import io.multimed.bench.client.Told;
import java.util.concurrent.atomic.LongAdder;

/** The commits acknowledged to clients, for comparison with the growth of tables. */
public final class TpccTally extends Told {
    private final LongAdder orders = new LongAdder();
    private final LongAdder payments = new LongAdder();
    private final LongAdder delivered = new LongAdder();

    void committed(Done done) {
        orders.add(done.orders());
        payments.add(done.payments());
        delivered.add(done.delivered());
    }

    public long orders() {
        return orders.sum();
    }

    public long payments() {
        return payments.sum();
    }

    public long delivered() {
        return delivered.sum();
    }
}
