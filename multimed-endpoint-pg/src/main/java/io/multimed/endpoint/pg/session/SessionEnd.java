package io.multimed.endpoint.pg.session;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.session.block.DeferredBegin;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.Instructions;
import io.multimed.endpoint.pg.session.exchange.UnitWatch;
import io.multimed.endpoint.pg.session.exchange.Waiting;
import io.multimed.endpoint.pg.session.prepared.ClientStatements;
import io.multimed.endpoint.pg.session.requests.Learning;
import io.multimed.endpoint.pg.session.requests.Notifications;
import io.multimed.endpoint.pg.session.routing.Replay;
import io.multimed.endpoint.pg.session.routing.UnboundRouting;
import org.jspecify.annotations.Nullable;

/** The end of a session, in whatever state it is: its timers, waits and inquiries end, and it gives its connection back. */
final class SessionEnd {
    private final StallWatch stalls;
    private final StatementTimeout timeout;
    private final Waiting waiting;
    private final DeferredBegin deferred;
    private final UnboundRouting routing;
    private final Notifications notifications;
    private final Learning learning;
    private final Replay replay;
    private final ClientStatements prepared;
    private final Exchange exchange;
    private final Instructions instructions;
    private final @Nullable UnitWatch watch;

    /** @param watch null if nobody watches */
    SessionEnd(
            StallWatch stalls,
            StatementTimeout timeout,
            Waiting waiting,
            DeferredBegin deferred,
            UnboundRouting routing,
            Notifications notifications,
            Learning learning,
            Replay replay,
            ClientStatements prepared,
            Exchange exchange,
            Instructions instructions,
            @Nullable UnitWatch watch) {
        this.stalls = stalls;
        this.timeout = timeout;
        this.waiting = waiting;
        this.deferred = deferred;
        this.routing = routing;
        this.notifications = notifications;
        this.learning = learning;
        this.replay = replay;
        this.prepared = prepared;
        this.exchange = exchange;
        this.instructions = instructions;
        this.watch = watch;
    }

    /** Ends all that is under way. Called once. */
    void endAll() {
        if (watch != null) {
            watch.sessionEnds();
        }
        stalls.end();
        timeout.end();
        waiting.end();
        deferred.forget();
        routing.abandon();
        notifications.end();
        learning.end();
        replay.drop();
        prepared.end();
        leaveEngine();
        exchange.clientGone();
    }

    /** Gives the connection back, or closes it if the engine may still work for this session alone. */
    private void leaveEngine() {
        BackendConnection backend = exchange.backend();
        if (backend != null && backend.isAlone() && exchange.isHeard()) {
            exchange.unbind();
            backend.node().transactionEnded();
            backend.discard();
        } else if (backend != null) {
            if (exchange.isUnsynced()) {
                instructions.synchronise();
            }
            exchange.leave();
        }
    }
}
