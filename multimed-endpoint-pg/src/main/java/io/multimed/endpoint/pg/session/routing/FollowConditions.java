package io.multimed.endpoint.pg.session.routing;

import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.settings.SessionVariables;

/**
 * The conditions under which the waiting unit may be sent on a connection behind the units of other sessions. The engine session
 * there must need no preparation for it.
 */
public final class FollowConditions {
    private final Unit unit;
    private final TransactionBlock block;
    private final SessionVariables variables;
    private final ClientProcess process;
    private final FreshPlans plans;

    public FollowConditions(
            Unit unit, TransactionBlock block, SessionVariables variables, ClientProcess process, FreshPlans plans) {
        this.unit = unit;
        this.block = block;
        this.variables = variables;
        this.process = process;
        this.plans = plans;
    }

    /** Whether the connection meets them now. */
    public boolean areMetBy(BackendConnection connection) {
        return unit.isBrief
                && unit.stopped() == null
                && (!block.isOpen() || (unit.suitsOwnTransaction && block.isMovable()))
                && variables.are(connection.settings())
                && !connection.session().mayBeSetForOthersThan(process.number())
                && plans.areFresh(connection)
                && unit.isPreparedOn(connection.prepared());
    }
}
