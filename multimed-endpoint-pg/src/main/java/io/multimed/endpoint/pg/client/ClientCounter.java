package io.multimed.endpoint.pg.client;

import java.util.concurrent.atomic.AtomicInteger;

/** Number of connected clients. Thread-safe. */
public final class ClientCounter {
    private final AtomicInteger connected = new AtomicInteger();

    /** @return whether one more was within the limit, which counts from now on */
    boolean enter(int most) {
        if (connected.incrementAndGet() <= most) {
            return true;
        }
        connected.decrementAndGet();
        return false;
    }

    void leave() {
        connected.decrementAndGet();
    }

    public int connected() {
        return connected.get();
    }
}
