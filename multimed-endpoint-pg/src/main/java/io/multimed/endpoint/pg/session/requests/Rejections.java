package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.block.BlockParts;
import io.multimed.endpoint.pg.session.block.DeferredBegin;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.ClientLink;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.ExchangeParts;
import io.multimed.endpoint.pg.session.exchange.SessionContext;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.prepared.ExtendedSender;
import io.multimed.endpoint.pg.session.prepared.PreparedParts;
import io.multimed.endpoint.pg.session.prepared.SqlNames;
import io.multimed.endpoint.pg.session.routing.Routing;
import io.multimed.endpoint.pg.session.routing.RoutingParts;
import io.multimed.endpoint.pg.session.routing.SatelliteLoss;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.endpoint.pg.session.settings.SessionVariables;
import io.multimed.protocol.pg.BackendMessages;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.sql.Statement;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Determines whether and why the unit must not be executed, and ends a unit that was stopped before it was sent to an engine. */
final class Rejections {
    private final LoopContext loop;
    private final ClientLink client;
    private final Exchange exchange;
    private final TransactionBlock block;
    private final DeferredBegin deferred;
    private final SessionVariables variables;
    private final ExtendedSender extended;
    private final Unit unit;
    private final SqlNames names;
    private final Routing routing;
    private final Notifications notifications;
    private final UsedDatabases databases;

    Rejections(
            SessionContext session,
            ExchangeParts parts,
            BlockParts blocks,
            PreparedParts prepared,
            RoutingParts placed,
            SessionVariables variables,
            Notifications notifications,
            UsedDatabases databases) {
        loop = session.loop();
        client = session.client();
        exchange = parts.exchange();
        block = blocks.block();
        deferred = blocks.deferred();
        this.variables = variables;
        extended = prepared.sender();
        unit = placed.unit();
        routing = placed.routing();
        names = prepared.names();
        this.notifications = notifications;
        this.databases = databases;
    }

    /** The reason why the unit that was placed is not executed all the same; null if it is executed. */
    @Nullable
    ErrorFields reason(List<Statement> statements) {
        ErrorFields reason = ofWhole(statements);
        int refused = reason == null ? firstRefused(statements) : -1;
        return refused < 0 ? reason : ofItself(statements.get(refused));
    }

    /** The reason that concerns the whole unit; null if there is none. Reasons of single statements do not count. */
    @Nullable
    ErrorFields ofWhole(List<Statement> statements) {
        ErrorFields inUse = databases.takeRefusal();
        ErrorFields stopped = unit.stopped();
        ErrorFields reason = stopped != null ? stopped : inUse != null ? inUse : routing.takeRefusal();
        return reason == null && mayExecute(statements) ? notifications.refuse(statements) : reason;
    }

    /** The index of the first statement that is not executed whatever the others are; -1 if there is none. */
    int firstRefused(List<Statement> statements) {
        if (mayExecute(statements)) {
            for (int i = 0; i < statements.size(); i++) {
                if (ofItself(statements.get(i)) != null) {
                    return i;
                }
            }
        }
        return -1;
    }

    /** Whether the engine executes any of the statements. */
    private boolean mayExecute(List<Statement> statements) {
        return exchange.status() != 'E' || statements.isEmpty() || TransactionBlock.mayLeaveFailure(statements);
    }

    /** The reason why this statement by itself is not executed; null if there is none. */
    @Nullable
    ErrorFields ofItself(Statement statement) {
        if (statement instanceof Statement.RollbackTo && block.hasLostSavepoints()) {
            return SatelliteLoss.FAILED;
        }
        ErrorFields reason = names.refuse(statement);
        return reason != null
                ? reason
                : Refusals.of(statement, loop.options().nodes().tablespaces());
    }

    /**
     * The error of a unit that was stopped while it waited for an engine, or that fails together with a lost transaction on which
     * it relies. No engine need receive such a unit. Null if neither is the case.
     */
    @Nullable
    ErrorFields stoppedUnsent() {
        if (exchange.isBound()) {
            return null;
        }
        ErrorFields stopped = unit.stopped();
        return stopped != null ? stopped : deferred.lostFor(unit.statements());
    }

    /**
     * Sends the client the error. If a block is open, it has failed with the unit, or is over if the unit was to end a lost block.
     */
    void tellStopped(ErrorFields why) {
        if (deferred.isLost() && deferred.tellsLost(unit.statements())) {
            deferred.forget();
            variables.transactionEnded(false);
            extended.transactionEnded();
        } else {
            deferred.fail();
        }
        unit.reset();
        ByteBuf out = client.buffer(128);
        BackendMessages.error(out, why);
        client.write(out);
    }

    /** Ends a unit with ReadyForQuery and the transaction status, where no engine does. */
    void ready() {
        ByteBuf out = client.buffer(8);
        BackendMessages.readyForQuery(out, deferred.status());
        client.write(out);
    }
}
