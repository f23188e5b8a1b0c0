package io.multimed.endpoint.pg.session.routing;

import io.multimed.core.admission.Admission;
import io.multimed.core.admission.WaitingReaders;
import io.multimed.endpoint.pg.config.EndpointTimeouts;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.SessionControl;
import io.multimed.endpoint.pg.session.exchange.Wait;
import io.multimed.endpoint.pg.session.exchange.Waiting;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import java.util.concurrent.TimeUnit;

/** The bounded wait of the session's unit for a Satellite that has applied the SCN that the unit must see. */
public final class AwaitingFreshness implements WaitingReaders.Reader {
    private final LoopContext loop;
    private final SessionControl owner;
    private final Exchange exchange;
    private final TransactionBlock block;
    private final Waiting waiting;
    private final Admission admission;

    public AwaitingFreshness(
            LoopContext loop,
            SessionControl owner,
            Exchange exchange,
            TransactionBlock block,
            Waiting waiting,
            Admission admission) {
        this.loop = loop;
        this.owner = owner;
        this.exchange = exchange;
        this.block = block;
        this.waiting = waiting;
        this.admission = admission;
    }

    /** Time for which the unit may wait. A block that cannot begin anew on the Master waits longer, since it has no alternative. */
    long patienceNanos() {
        boolean stays = exchange.isBound() && block.isOpen() && !block.isMovable();
        EndpointTimeouts timeouts = loop.options().timeouts();
        return (stays ? timeouts.master() : timeouts.freshness()).toNanos();
    }

    /**
     * Begins the wait.
     *
     * @return false when the session has to wait; true if a Satellite has become fresh in the meantime and the unit can be placed
     *     now
     */
    boolean await() {
        waiting.begin(Wait.FRESHNESS);
        if (loop.waitingReaders().await(this)) {
            waiting.end();
            return true;
        }
        long now = loop.nanoTime();
        long left = patienceNanos() - (now - admission.arrive(now));
        waiting.alarmIn(
                Math.max(1, TimeUnit.NANOSECONDS.toMillis(left) + 1),
                () -> loop.waitingReaders().lookAt(this));
        return false;
    }

    @Override
    public boolean isOver() {
        return waiting.is(Wait.FRESHNESS)
                && (admission.isFreshNow(exchange.isBound() ? exchange.bound().node() : null)
                        || admission.hasWaited(loop.nanoTime(), patienceNanos()));
    }

    @Override
    public void goOn() {
        long now = loop.nanoTime();
        loop.counters().waitedForFreshness(now - admission.arrive(now));
        owner.resume(Wait.FRESHNESS);
    }

    void abandon() {
        loop.waitingReaders().leave(this);
    }
}
