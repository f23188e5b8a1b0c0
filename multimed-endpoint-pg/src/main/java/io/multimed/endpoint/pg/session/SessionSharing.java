package io.multimed.endpoint.pg.session;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.session.exchange.ConnectionSharing;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.Wait;
import io.multimed.endpoint.pg.session.exchange.Waiting;
import io.multimed.endpoint.pg.session.reads.ReadCosts;
import io.multimed.endpoint.pg.session.routing.FollowConditions;
import io.multimed.endpoint.pg.session.routing.Replay;
import io.multimed.endpoint.pg.session.routing.Unit;

/** The session's sharing of connections with other sessions: one session's unit is sent behind another's. */
final class SessionSharing implements ConnectionSharing {
    private final Session session;
    private final Exchange exchange;
    private final Waiting waiting;
    private final Unit unit;
    private final Replay replay;
    private final ReadCosts costs;
    private final FollowConditions follow;
    private final UnitRestart restart;

    SessionSharing(
            Session session,
            Exchange exchange,
            Waiting waiting,
            Unit unit,
            FollowConditions follow,
            Replay replay,
            UnitRestart restart,
            ReadCosts costs) {
        this.session = session;
        this.exchange = exchange;
        this.waiting = waiting;
        this.unit = unit;
        this.follow = follow;
        this.replay = replay;
        this.restart = restart;
        this.costs = costs;
    }

    @Override
    public boolean mayFollow(BackendConnection connection) {
        return follow.areMetBy(connection);
    }

    @Override
    public void displaced(BackendConnection from) {
        from.node().transactionEnded();
        sendAgain();
        unit.displaced();
        session.process();
    }

    @Override
    public void cancelUnheard() {
        exchange.leave();
        sendAgain();
        unit.cancel();
        session.process();
    }

    private void sendAgain() {
        if (replay.holdsUnit()) {
            replay.again();
            restart.restart();
        } else if (waiting.is(Wait.REPLIES)) {
            // Nothing of it was sent: only Multimed had asked something for it.
            waiting.end();
        }
    }

    @Override
    public void heldOthersUp() {
        costs.heldOthersUp(unit.lastSent());
    }

    @Override
    public void heldNobodyUp() {
        costs.heldNobodyUp(unit.lastSent());
    }
}
