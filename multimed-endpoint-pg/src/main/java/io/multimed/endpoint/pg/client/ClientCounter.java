package io.multimed.endpoint.pg.client;

import java.util.concurrent.atomic.AtomicInteger;

/** How many clients are connected, and how many may be. Any thread. */
public final class ClientCounter {
    private final int max;
    private final AtomicInteger connected = new AtomicInteger();

    public ClientCounter(int max) {
        this.max = max;
    }

    /** @return whether there is room for one more, which now counts */
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
