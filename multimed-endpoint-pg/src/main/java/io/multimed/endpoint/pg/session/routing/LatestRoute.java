package io.multimed.endpoint.pg.session.routing;

import io.multimed.core.counters.RouteCounters;
import io.multimed.core.dispatch.Reason;
import io.multimed.core.node.ComputationalNode;
import org.jspecify.annotations.Nullable;

/** The node and the reason of the session's latest placement. Event loop only. */
public final class LatestRoute {
    private final RouteCounters counters;
    private @Nullable Route route;

    public LatestRoute(RouteCounters counters) {
        this.counters = counters;
    }

    /** Records the placement of a unit. */
    void is(Route now) {
        route = now;
    }

    /** Counts the placement, because the unit has got its connection. */
    void isTaken() {
        if (route != null) {
            counters.placed(route.reason());
            if (route.rule() != null) {
                route.rule().placed(route.node());
            }
        }
    }

    /** Counts the placement of a unit that was answered with the node's reply to another session. */
    public void answeredAlike() {
        isTaken();
        counters.coalesced();
    }

    /** The fingerprint of the shape of the read that was placed; empty if it was no read. */
    public String shape() {
        return route == null ? "" : route.shape();
    }

    /** The node on which the unit was placed; null if none was placed yet. */
    public @Nullable ComputationalNode node() {
        return route == null ? null : route.node();
    }

    /** The reason for the placement; null if none was placed yet. */
    public @Nullable Reason reason() {
        return route == null ? null : route.reason();
    }

    /** The node and the reason as a text for the client. */
    public String text() {
        return route == null ? "none yet" : route.toString();
    }
}
