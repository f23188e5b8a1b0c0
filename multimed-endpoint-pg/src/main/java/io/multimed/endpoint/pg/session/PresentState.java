package io.multimed.endpoint.pg.session;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.Waiting;
import io.multimed.endpoint.pg.session.loop.SessionActivity;
import io.multimed.endpoint.pg.session.loop.SessionProgress;
import io.multimed.endpoint.pg.session.loop.SessionProgress.Phase;
import io.multimed.endpoint.pg.session.loop.SessionReport;
import io.multimed.endpoint.pg.session.routing.BackendPinning;
import io.multimed.endpoint.pg.session.routing.LatestRoute;
import io.multimed.endpoint.pg.session.routing.Unit;

/** The state that a session is in, read from its parts. */
final class PresentState implements SessionReport {
    private final Waiting waiting;
    private final Exchange exchange;
    private final TransactionBlock block;
    private final BackendPinning pinning;
    private final LatestRoute route;
    private final Unit unit;

    PresentState(
            Waiting waiting,
            Exchange exchange,
            TransactionBlock block,
            BackendPinning pinning,
            LatestRoute route,
            Unit unit) {
        this.waiting = waiting;
        this.exchange = exchange;
        this.block = block;
        this.pinning = pinning;
        this.route = route;
        this.unit = unit;
    }

    @Override
    public String state() {
        if (!waiting.isNothing()) {
            return "waiting: " + waiting;
        }
        if (exchange.isBound()) {
            return exchange.isDrained() ? (pinning.isPinned() ? "pinned" : "in transaction") : "active";
        }
        return block.isOpen() ? "in transaction" : "idle";
    }

    @Override
    public String route() {
        return route.text();
    }

    @Override
    public String shape() {
        return route.shape();
    }

    @Override
    public String boundTo() {
        BackendConnection backend = exchange.backend();
        return backend == null ? "" : backend.node().id().name();
    }

    @Override
    public SessionProgress progress() {
        return new SessionProgress(phase(), unit.number(), block.number(), block.isOpen());
    }

    private Phase phase() {
        return switch (waiting.reason()) {
            case CLASSIFICATION, CATALOG, FRESHNESS, VISIBILITY, CONNECTION, TURN, SESSIONS, RETRY, RULE ->
                Phase.WAITING;
            // Another session's execution serves this one.
            case SAME_READ, NOTIFICATIONS, REPLIES, ENGINE_WRITABLE -> Phase.EXECUTING;
            case NOTHING ->
                exchange.isBound() && !exchange.isDrained()
                        ? Phase.EXECUTING
                        : block.isOpen() || exchange.status() != 'I' ? Phase.IDLE_IN_TRANSACTION : Phase.IDLE;
        };
    }

    @Override
    public SessionActivity activity() {
        BackendConnection backend = exchange.backend();
        BackendConnection own = exchange.isHeard() ? backend : null;
        return new SessionActivity(
                activityState(backend != null),
                exchange.reported().getOrDefault("application_name", ""),
                own == null ? null : own.node(),
                own == null ? 0 : own.processId());
    }

    /** The state in the words of {@code pg_stat_activity}. */
    private String activityState(boolean bound) {
        if (!waiting.isNothing() || (bound && !exchange.isDrained())) {
            return "active";
        }
        if (!block.isOpen() && exchange.status() == 'I') {
            return "idle";
        }
        return exchange.status() == 'E' ? "idle in transaction (aborted)" : "idle in transaction";
    }
}
