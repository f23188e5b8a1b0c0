package io.multimed.endpoint.pg.session;

import io.multimed.core.counters.RouteCounters;
import io.multimed.endpoint.pg.session.block.DeferredBegin;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.SessionControl;
import io.multimed.endpoint.pg.session.exchange.UnitWatch;
import io.multimed.endpoint.pg.session.exchange.Wait;
import io.multimed.endpoint.pg.session.exchange.Waiting;
import io.multimed.endpoint.pg.session.routing.Replay;
import org.jspecify.annotations.Nullable;

/** The end of a transaction of Multimed's own within the client's block, or of Multimed's own query before it. */
final class OwnTransactionEnds {
    private final SessionControl session;
    private final RouteCounters counters;
    private final Exchange exchange;
    private final Waiting waiting;
    private final DeferredBegin deferred;
    private final Replay replay;
    private final @Nullable UnitWatch watch;

    /** @param watch null if nobody watches */
    OwnTransactionEnds(
            SessionControl session,
            RouteCounters counters,
            Exchange exchange,
            Waiting waiting,
            DeferredBegin deferred,
            Replay replay,
            @Nullable UnitWatch watch) {
        this.session = session;
        this.counters = counters;
        this.exchange = exchange;
        this.waiting = waiting;
        this.deferred = deferred;
        this.replay = replay;
        this.watch = watch;
    }

    /**
     * Handles the end.
     *
     * @param answered whether the client's unit has been answered
     * @param failed whether it failed
     */
    void ended(boolean answered, boolean failed) {
        if (!exchange.isDrained() || waiting.is(Wait.ENGINE_WRITABLE)) {
            return;
        }
        exchange.leave();
        if (answered) {
            if (watch != null) {
                watch.answered(failed);
            }
            replay.drop();
            counters.query();
            if (failed) {
                deferred.fail();
            } else {
                deferred.answered();
            }
        }
        session.resume(Wait.REPLIES);
    }
}
