package io.multimed.endpoint.pg.client;

import java.util.concurrent.atomic.AtomicInteger;

/** Number of connected clients, and its limit. Thread-safe. */
public final class ClientCounter {
    private final int max;
    private final AtomicInteger connected = new AtomicInteger();

    public ClientCounter(int max) {
        this.max = max;
    }

    /** @return whether there was room for one more, which counts from now on */
    boolean enter() {
        if (connected.incrementAndGet() <= max) {
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
