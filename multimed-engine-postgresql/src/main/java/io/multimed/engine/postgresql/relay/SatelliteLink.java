package io.multimed.engine.postgresql.relay;

import io.multimed.core.node.ComputationalNode;
import org.jspecify.annotations.Nullable;

/** The Relay's state for one Satellite, connected or not. Relay thread, except for the last reply. */
final class SatelliteLink {
    private final ComputationalNode node;
    private final HeldXmin held = new HeldXmin();
    private @Nullable SatelliteFeed feed;
    private volatile long lastReplyNanos;

    SatelliteLink(ComputationalNode node) {
        this.node = node;
    }

    ComputationalNode node() {
        return node;
    }

    HeldXmin held() {
        return held;
    }

    /** Returns the connection that streams now. */
    @Nullable
    SatelliteFeed feed() {
        return feed;
    }

    void feed(@Nullable SatelliteFeed now) {
        feed = now;
    }

    void replied() {
        lastReplyNanos = System.nanoTime();
    }

    /** Returns the time of the last reply by {@link System#nanoTime}, 0 before the first reply. Any thread. */
    long lastReplyNanos() {
        return lastReplyNanos;
    }
}
