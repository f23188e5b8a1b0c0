package io.multimed.endpoint.pg.session.routing;

import io.multimed.core.dispatch.Reason;
import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.LoopBackends;
import io.multimed.endpoint.pg.backend.NodeBackends;
import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.SessionControl;
import io.multimed.endpoint.pg.session.exchange.Wait;
import io.multimed.endpoint.pg.session.exchange.Waiting;
import io.multimed.endpoint.pg.session.loop.ConnectionTurn;
import io.multimed.endpoint.pg.session.settings.Placeholders;
import io.multimed.protocol.pg.ErrorFields;
import org.jspecify.annotations.Nullable;

/**
 * Acquires a connection to the node on which the session's unit was placed, or lets the unit wait for the reply to an equal read of
 * another session.
 *
 * <p>It has more fields than other classes, since it is the step of routing that brings the unit, the session, the pools and the
 * wait for a connection together.
 */
public final class BackendCheckout {
    /** Interval at which a session looks whether it is its turn. */
    private static final long TURN_MILLIS = 5;

    private final LoopBackends backends;
    private final SessionControl owner;
    private final Exchange exchange;
    private final TransactionBlock block;
    private final Placeholders placeholders;
    private final Waiting waiting;
    private final Unit unit;
    /** The session's right to hold a connection; null if it needs none. */
    private final @Nullable ConnectionTurn turn;

    private final Coalescing coalescing;
    private final LatestRoute latest;
    private final BackendBinding binding;
    private final FailedCheckout failed;
    /** The node from which a connection has been requested and is still awaited; null if there is none. */
    private @Nullable ComputationalNode asked;

    public BackendCheckout(
            LoopBackends backends,
            SessionControl owner,
            Exchange exchange,
            TransactionBlock block,
            Placeholders placeholders,
            Waiting waiting,
            Unit unit,
            @Nullable ConnectionTurn turn,
            Coalescing coalescing,
            LatestRoute latest,
            BackendBinding binding,
            FailedCheckout failed) {
        this.backends = backends;
        this.owner = owner;
        this.exchange = exchange;
        this.block = block;
        this.placeholders = placeholders;
        this.waiting = waiting;
        this.unit = unit;
        this.turn = turn;
        this.coalescing = coalescing;
        this.latest = latest;
        this.binding = binding;
        this.failed = failed;
    }

    /**
     * Acquires a connection.
     *
     * @return false when the session has to wait for it
     */
    boolean acquire(ComputationalNode node, Reason reason, String because) {
        if (turn != null && !turn.take()) {
            waiting.begin(Wait.TURN);
            waiting.alarmIn(TURN_MILLIS, () -> owner.resume(Wait.TURN));
            return false;
        }
        Route taken = new Route(node, reason, because, unit.rule, unit.statements);
        latest.is(taken);
        asked = node;
        node.transactionBegan();
        // Set before the request, since the answer may come at once.
        waiting.begin(Wait.CONNECTION);
        if (unit.isCoalescable && coalescing.follow(node)) {
            return followed(node, taken);
        }
        BackendConnection connection =
                backends.of(node).acquire(kind(), exchange.receiver(), unit.expectedNanosOn(node));
        if (connection == null) {
            return asked != null && waitForIt(node, taken);
        }
        bind(connection);
        waiting.end();
        return true;
    }

    /** The kind of connection that serves the unit. */
    private PoolKey kind() {
        return unit.isPlain ? placeholders.kind() : placeholders.kindWith(unit.created(), block.settingNames());
    }

    /**
     * Waits for a connection.
     *
     * @return false
     */
    private boolean waitForIt(ComputationalNode node, Route taken) {
        NodeBackends pool = backends.of(node);
        ComputationalNode elsewhere = coalescing.followOrLead(node, pool.isOpeningFor(exchange.receiver()));
        if (elsewhere != null) {
            followed(node, taken.on(elsewhere));
            pool.forget(exchange.receiver());
        }
        return false;
    }

    /**
     * Waits for another session's reply, which answers the unit that was placed on this node.
     *
     * @return false
     */
    private boolean followed(ComputationalNode node, Route taken) {
        latest.is(taken);
        asked = null;
        node.transactionEnded();
        giveTurnBack();
        return waiting.begin(Wait.SAME_READ);
    }

    /** Receives the connection that was requested. */
    public void acquired(BackendConnection connection) {
        bind(connection);
        owner.resume(Wait.CONNECTION);
        if (exchange.backend() == connection && !exchange.isHeard() && exchange.isDrained()) {
            // While the session's place is behind other sessions' units, it must not wait for anything else, such as
            // another classification of the statement.
            exchange.leave();
        }
    }

    private void bind(BackendConnection connection) {
        asked = null;
        latest.isTaken();
        binding.bind(connection, coalescing.begin());
    }

    /**
     * Handles a request for a connection that has failed.
     *
     * @param error the engine's answer; null when the engine could not be reached at all
     */
    public void notAcquired(@Nullable ErrorFields error) {
        ComputationalNode node = asked;
        asked = null;
        coalescing.abandon();
        giveTurnBack();
        if (node != null) {
            node.transactionEnded();
        }
        failed.handle(node, error);
    }

    /** Withdraws the request for a connection. */
    void abandon() {
        coalescing.abandon();
        ComputationalNode node = asked;
        if (node != null) {
            backends.of(node).forget(exchange.receiver());
            node.transactionEnded();
            asked = null;
            giveTurnBack();
        }
    }

    private void giveTurnBack() {
        if (turn != null) {
            turn.giveBack();
        }
    }
}
