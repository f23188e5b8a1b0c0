package io.multimed.endpoint.pg.session;

import io.multimed.core.counters.RouteCounters;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.SessionControl;
import io.multimed.endpoint.pg.session.exchange.UnitWatch;
import io.multimed.endpoint.pg.session.exchange.Wait;
import io.multimed.endpoint.pg.session.requests.Notifications;
import io.multimed.endpoint.pg.session.requests.ProcessNumbering;
import io.multimed.endpoint.pg.session.requests.SegmentReader;
import io.multimed.endpoint.pg.session.routing.Replay;
import io.multimed.endpoint.pg.session.settings.SessionVariables;
import org.jspecify.annotations.Nullable;

/**
 * The end of a unit, when the engine has answered it up to ReadyForQuery.
 *
 * <p>It has more fields than other classes, since it is the list of the parts that the end of a unit concerns.
 */
final class UnitEnds {
    private final SessionControl session;
    private final RouteCounters counters;
    private final Exchange exchange;
    private final TransactionBlock block;
    private final SessionVariables variables;
    private final ObservedCommits observed;
    private final Replay replay;
    private final StatementTimeout timeout;
    private final Notifications notifications;
    private final TransactionCompletion transactions;
    private final SegmentReader segments;
    private final ProcessNumbering numbering;
    private final @Nullable UnitWatch watch;

    /** @param watch null if nobody watches */
    UnitEnds(
            SessionControl session,
            RouteCounters counters,
            Exchange exchange,
            TransactionBlock block,
            SessionVariables variables,
            ObservedCommits observed,
            Replay replay,
            StatementTimeout timeout,
            SegmentReader segments,
            ProcessNumbering numbering,
            Notifications notifications,
            TransactionCompletion transactions,
            @Nullable UnitWatch watch) {
        this.session = session;
        this.counters = counters;
        this.exchange = exchange;
        this.block = block;
        this.variables = variables;
        this.observed = observed;
        this.replay = replay;
        this.timeout = timeout;
        this.segments = segments;
        this.numbering = numbering;
        this.notifications = notifications;
        this.transactions = transactions;
        this.watch = watch;
    }

    /** Handles a ReadyForQuery; {@code failed} if an error preceded it. */
    void ended(boolean failed) {
        if (failed) {
            transactions.unitFailed();
        }
        byte status = exchange.status();
        if (status == 'E') {
            block.failed(exchange.isDrained());
        }
        if (!exchange.isDrained()) {
            return;
        }
        if (watch != null) {
            watch.answered(failed);
        }
        block.answered();
        timeout.end();
        if (exchange.onMaster()) {
            observed.onMaster();
        }
        replay.drop();
        numbering.unitEnded();
        variables.answered();
        if (status == 'I') {
            block.idle();
        } else {
            block.inBlock();
            if (status == 'E') {
                block.unitFailed();
            }
        }
        counters.query();
        if (status == 'I' && !segments.isOpen()) {
            transactions.ended();
        }
        notifications.tell();
        session.resume(Wait.REPLIES);
    }

    /** Handles the end of a plain read to which the engine has replied as usual. It concerns nothing but its result, since the session is in its ordinary state. */
    void plainReadEnded() {
        if (watch != null) {
            watch.answered(false);
        }
        timeout.end();
        replay.drop();
        counters.query();
        exchange.leave();
        notifications.tell();
        session.resume(Wait.REPLIES);
    }
}
