package io.multimed.endpoint.pg.session.routing;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.session.block.DeferredBegin;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.Instructions;
import io.multimed.endpoint.pg.session.reads.CoalescedRead;
import io.multimed.endpoint.pg.session.settings.SessionVariables;
import io.multimed.model.Role;
import org.jspecify.annotations.Nullable;

/** Binds the session to the connection that it was given for its unit, and sends the engine there what must precede the unit. */
public final class BackendBinding {
    private final Exchange exchange;
    private final Unit unit;
    private final ClientProcess process;
    private final Instructions instructions;
    private final SessionVariables variables;
    private final FreshPlans plans;
    private final DeferredBegin deferred;

    public BackendBinding(
            Exchange exchange,
            Unit unit,
            ClientProcess process,
            Instructions instructions,
            SessionVariables variables,
            FreshPlans plans,
            DeferredBegin deferred) {
        this.exchange = exchange;
        this.unit = unit;
        this.process = process;
        this.instructions = instructions;
        this.variables = variables;
        this.plans = plans;
        this.deferred = deferred;
    }

    /**
     * Binds the session.
     *
     * @param followed the read for whose reply other sessions wait too; null if there is none
     */
    void bind(BackendConnection connection, @Nullable CoalescedRead followed) {
        unit.isServed = true;
        boolean own = unit.suitsOwnTransaction && connection.node().role() == Role.SATELLITE;
        exchange.bind(connection, own, followed);
        if (unit.isTimed && connection.node().role() == Role.SATELLITE) {
            exchange.time(unit.statements);
        }
        process.isServedBy(connection);
        instructions.settings(connection, variables.settings());
        if (exchange.isHeard()) {
            plans.bound(connection);
        }
        if (!own && !unit.isPlain) {
            deferred.tell();
        }
    }
}
