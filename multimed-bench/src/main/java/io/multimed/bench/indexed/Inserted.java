package io.multimed.bench.indexed;

import io.multimed.bench.client.Told;
import java.util.concurrent.atomic.LongAdder;

/** The inserts whose commits were reported to clients. */
final class Inserted extends Told {
    private final LongAdder inserts = new LongAdder();

    void committed() {
        inserts.increment();
    }

    long inserts() {
        return inserts.sum();
    }
}
