package io.multimed.endpoint.pg.session.placing;

import io.multimed.core.dispatch.Placement;
import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.pg.EndpointTimeouts;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.ExchangeParts;
import io.multimed.endpoint.pg.session.exchange.SessionContext;
import io.multimed.endpoint.pg.session.exchange.SessionControl;
import io.multimed.endpoint.pg.session.exchange.Wait;
import io.multimed.endpoint.pg.session.exchange.Waiting;
import io.multimed.endpoint.pg.session.loop.FreshnessWaiter;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.settings.SessionVariables;
import java.util.concurrent.TimeUnit;

/** What the unit has to see of the commits before it, and the bounded wait for a Satellite that has applied them. */
final class AwaitingFreshness implements FreshnessWaiter {
    private final LoopContext loop;
    private final SessionControl owner;
    private final Exchange exchange;
    private final TransactionBlock block;
    private final SessionVariables variables;
    private final Waiting waiting;
    private final Unit unit;

    AwaitingFreshness(
            SessionContext session,
            ExchangeParts parts,
            TransactionBlock block,
            SessionVariables variables,
            Unit unit) {
        loop = session.loop();
        owner = session.owner();
        exchange = parts.exchange();
        this.block = block;
        this.variables = variables;
        waiting = parts.waiting();
        this.unit = unit;
    }

    /** The SCN that the unit must see. */
    long required() {
        if (unit.required == Unit.NOT_ASKED) {
            unit.required = variables
                    .freshness()
                    .required(loop.services().log(), loop.services().floorHistory(), unit.arrivedNanos);
        }
        return unit.required;
    }

    boolean isFresh(ComputationalNode node) {
        long required = required();
        return required >= 0 && node.serving() && node.applied() >= required;
    }

    /** Whether it has been waited for as long as the unit may wait. */
    boolean isPatienceOver() {
        return loop.nanoTime() - unit.arrivedNanos >= patienceNanos();
    }

    /** A block that cannot begin anew on the Master has no other choice than to wait. */
    private long patienceNanos() {
        boolean stays = exchange.isBound() && block.isOpen() && !block.isMovable();
        EndpointTimeouts timeouts = loop.options().timeouts();
        return (stays ? timeouts.master() : timeouts.freshness()).toNanos();
    }

    /** @return false when it has to be waited for, true if it has come in between and the unit can be placed now */
    boolean await() {
        waiting.begin(Wait.FRESHNESS);
        loop.awaitFreshness(this);
        // Looked at once more now that a wake-up is sure to come.
        if (isFreshEnoughNow()) {
            loop.stopAwaitingFreshness(this);
            waiting.end();
            return true;
        }
        long left = patienceNanos() - (loop.nanoTime() - unit.arrivedNanos);
        waiting.alarmIn(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left) + 1), this::mayHaveChanged);
        return false;
    }

    private boolean isFreshEnoughNow() {
        if (exchange.isBound()) {
            return isFresh(exchange.bound().node());
        }
        return !(loop.services().placer().place(unit.required, loop.nodes()) instanceof Placement.AwaitFreshness);
    }

    @Override
    public void mayHaveChanged() {
        if (waiting.is(Wait.FRESHNESS) && (isFreshEnoughNow() || isPatienceOver())) {
            loop.stopAwaitingFreshness(this);
            loop.counters().waitedForFreshness(loop.nanoTime() - unit.arrivedNanos);
            owner.resume(Wait.FRESHNESS);
        }
    }

    void abandon() {
        loop.stopAwaitingFreshness(this);
    }
}
