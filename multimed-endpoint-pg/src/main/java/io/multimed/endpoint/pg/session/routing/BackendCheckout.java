package io.multimed.endpoint.pg.session.routing;

import io.multimed.core.dispatch.Reason;
import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.backend.NodeBackends;
import io.multimed.endpoint.pg.backend.PoolKey;
import io.multimed.endpoint.pg.session.block.BlockParts;
import io.multimed.endpoint.pg.session.block.DeferredBegin;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.ExchangeParts;
import io.multimed.endpoint.pg.session.exchange.Instructions;
import io.multimed.endpoint.pg.session.exchange.SessionContext;
import io.multimed.endpoint.pg.session.exchange.SessionControl;
import io.multimed.endpoint.pg.session.exchange.Wait;
import io.multimed.endpoint.pg.session.exchange.Waiting;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.settings.ConnectionLimits;
import io.multimed.endpoint.pg.session.settings.SessionVariables;
import io.multimed.model.Role;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Acquires a connection to the node on which the session's unit was placed, and sends the engine there what must precede the unit.
 */
public final class BackendCheckout {
    private static final int RETRY_MASTER_MILLIS = 50;

    private final LoopContext loop;
    private final SessionControl owner;
    private final PoolKey key;
    private final int processId;
    private final Exchange exchange;
    private final TransactionBlock block;
    private final DeferredBegin deferred;
    private final Instructions instructions;
    private final SessionVariables variables;
    private final Waiting waiting;
    private final Unit unit;
    private final Coalescing coalescing;
    private final FreshPlans plans;
    /** The number of the unit for which the session was given a connection last. */
    private long unitServed = -1;
    /** The session's kind of connection, with the names that exist for it. */
    private PoolKey kind;

    private @Nullable Route route;
    /** The node from which a connection has been requested and is still awaited; null if there is none. */
    private @Nullable ComputationalNode asked;

    BackendCheckout(
            SessionContext session,
            ExchangeParts parts,
            BlockParts blocks,
            SessionVariables variables,
            Unit unit,
            Coalescing coalescing,
            FreshPlans plans) {
        loop = session.loop();
        owner = session.owner();
        key = session.key();
        kind = key;
        processId = session.processId();
        exchange = parts.exchange();
        block = blocks.block();
        deferred = blocks.deferred();
        instructions = parts.instructions();
        this.variables = variables;
        waiting = parts.waiting();
        this.unit = unit;
        this.coalescing = coalescing;
        this.plans = plans;
    }

    /** The node and the reason of the latest placement. */
    public String route() {
        return route == null ? "none yet" : route.toString();
    }

    /** Key of the connection that serves the unit. */
    private PoolKey kind() {
        Set<String> set = block.settingNames();
        Set<String> names = set.isEmpty()
                ? variables.placeholders().presentWith(unit.created())
                : variables.placeholders().presentWith(unit.created(), set);
        if (!names.equals(kind.names())) {
            kind = key.withNames(names);
        }
        return kind;
    }

    /**
     * Acquires a connection.
     *
     * @return false when the session has to wait for it
     */
    boolean acquire(ComputationalNode node, Reason reason, String because) {
        Route taken = new Route(node, reason, because);
        route = taken;
        asked = node;
        node.transactionBegan();
        // Set before the request, since the answer may come at once.
        waiting.begin(Wait.CONNECTION);
        if (coalescing.follow(node)) {
            return followed(node, taken);
        }
        BackendConnection connection = loop.backends().of(node).acquire(kind(), exchange);
        if (connection == null) {
            return asked != null && waitForIt(node, taken);
        }
        bind(connection);
        waiting.end();
        return true;
    }

    /**
     * Waits for a connection.
     *
     * @return false
     */
    private boolean waitForIt(ComputationalNode node, Route taken) {
        NodeBackends backends = loop.backends().of(node);
        ComputationalNode elsewhere = coalescing.followOrLead(node, backends.isOpeningFor(exchange));
        if (elsewhere != null) {
            followed(node, new Route(elsewhere, taken.reason(), taken.because()));
            backends.forget(exchange);
        }
        return false;
    }

    /**
     * Waits for another session's reply, which answers the unit that was placed on this node.
     *
     * @return false
     */
    private boolean followed(ComputationalNode node, Route taken) {
        route = taken;
        asked = null;
        node.transactionEnded();
        return waiting.begin(Wait.SAME_READ);
    }

    /** Whether the waiting unit may be sent on this connection behind the units of other sessions. */
    public boolean mayFollow(BackendConnection connection) {
        return unit.isBrief
                && unit.stopped() == null
                && (!block.isOpen() || unit.suitsOwnTransaction && block.isMovable())
                && variables.are(connection.settings())
                && !connection.mayBeSetForOthersThan(processId)
                && plans.areFresh(connection)
                && unit.isPreparedOn(connection.prepared());
    }

    /** Whether the session has been given its connection for the present unit. */
    boolean hasServedUnit() {
        return unitServed == unit.number();
    }

    /** The unit was answered with what another session was told, whom the node had executed it for. */
    public void answeredAlike() {
        if (route != null) {
            loop.counters().placed(route.reason());
        }
        loop.counters().coalesced();
    }

    /** Receives the connection that was requested. */
    public void acquired(BackendConnection connection) {
        bind(connection);
        owner.resume(Wait.CONNECTION);
        if (exchange.backend() == connection && !connection.isHeardBy(exchange) && exchange.isDrained()) {
            // While the session's place is behind other sessions' units, it must not wait for anything else, such as
            // another classification of the statement.
            exchange.leave();
        }
    }

    private void bind(BackendConnection connection) {
        asked = null;
        unitServed = unit.number();
        Route taken = route;
        if (taken != null) {
            loop.counters().placed(taken.reason());
        }
        boolean own = unit.suitsOwnTransaction && connection.node().role() == Role.SATELLITE;
        exchange.bind(connection, own, coalescing.begin());
        if (unit.isTimed && connection.node().role() == Role.SATELLITE) {
            exchange.time(unit.statements);
        }
        connection.serve(processId);
        if (connection.node().role() == Role.MASTER) {
            // A Satellite's process sends no notifications, so its number is not registered.
            loop.processIds().serves(connection.processId(), processId);
        }
        instructions.settings(variables.settings());
        if (connection.isHeardBy(exchange)) {
            plans.bound(connection);
        }
        if (!own) {
            deferred.tell();
        }
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
        if (node != null) {
            node.transactionEnded();
        }
        if (node != null && node.role() == Role.SATELLITE) {
            unit.admission().onMaster(Reason.RETRIED);
            owner.resume(Wait.CONNECTION);
            return;
        }
        boolean reached = error != null && ConnectionLimits.isReached(error, key);
        if (error != null && !reached && error.sqlState().equals(SqlState.TOO_MANY_CONNECTIONS)) {
            stop(error);
            return;
        }
        if (error != null && !reached && !isPassing(error)) {
            owner.fail(error);
            return;
        }
        if (reached) {
            // Idle connections have reached the limit: the number of clients is within it.
            loop.closeIdle();
        }
        long patience = loop.options().timeouts().master().toNanos();
        if (unit.admission().hasWaited(loop.nanoTime(), patience)) {
            if (error != null && reached) {
                stop(error);
                return;
            }
            owner.fail(
                    error != null
                            ? error
                            : ErrorFields.fatal(SqlState.CANNOT_CONNECT_NOW, "the master is not available now"));
            return;
        }
        waiting.begin(Wait.RETRY);
        waiting.alarmIn(RETRY_MASTER_MILLIS, () -> owner.resume(Wait.RETRY));
    }

    /** Stops only the unit, since the session has no connection to lose. */
    private void stop(ErrorFields error) {
        unit.stop(new ErrorFields("ERROR", error.sqlState(), error.message(), error.detail(), error.hint()));
        owner.resume(Wait.CONNECTION);
    }

    /** Whether the Master may answer differently a moment later. */
    private static boolean isPassing(ErrorFields error) {
        return switch (error.sqlState()) {
            case SqlState.CANNOT_CONNECT_NOW, SqlState.ADMIN_SHUTDOWN, SqlState.CRASH_SHUTDOWN -> true;
            default -> false;
        };
    }

    /** Withdraws the request for a connection. */
    void abandon() {
        coalescing.abandon();
        ComputationalNode node = asked;
        if (node != null) {
            loop.backends().of(node).forget(exchange);
            node.transactionEnded();
            asked = null;
        }
    }
}
