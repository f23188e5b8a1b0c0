package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.block.OneSnapshot;
import io.multimed.endpoint.pg.session.exchange.AwaitingEngine;
import io.multimed.endpoint.pg.session.prepared.SqlNames;
import io.multimed.endpoint.pg.session.routing.BackendPinning;
import io.multimed.endpoint.pg.session.routing.FreshPlans;
import io.multimed.endpoint.pg.session.routing.Routing;
import io.multimed.endpoint.pg.session.routing.SequenceState;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.sql.Statement;
import java.util.List;

/**
 * The preparation of a unit that is about to be sent: its placement, and the statements of Multimed's own that must precede it on
 * its connection. Each feature of the session that may need such a statement is asked once.
 */
public final class UnitPreparation {
    private final Unit unit;
    private final AwaitingEngine engine;
    private final Routing routing;
    private final BackendPinning pinning;
    private final UsedDatabases databases;
    private final ProcessNumbering numbering;
    private final OneSnapshot oneSnapshot;
    private final FreshPlans plans;
    private final Notifications notifications;
    private final SqlNames names;
    private final SequenceState sequences;

    public UnitPreparation(
            Unit unit,
            AwaitingEngine engine,
            Routing routing,
            BackendPinning pinning,
            UsedDatabases databases,
            ProcessNumbering numbering,
            OneSnapshot oneSnapshot,
            FreshPlans plans,
            Notifications notifications,
            SqlNames names,
            SequenceState sequences) {
        this.unit = unit;
        this.engine = engine;
        this.routing = routing;
        this.pinning = pinning;
        this.databases = databases;
        this.numbering = numbering;
        this.oneSnapshot = oneSnapshot;
        this.plans = plans;
        this.notifications = notifications;
        this.names = names;
        this.sequences = sequences;
    }

    /**
     * Places the unit and sends the engine what must precede it.
     *
     * @param asQuery whether it is a Query
     * @return false when it has to wait
     */
    boolean prepare(boolean asQuery) {
        if (notifications.awaitsOwn()) {
            return engine.awaitReplies();
        }
        List<Statement> statements = unit.statements();
        if (statements.size() == 1
                && statements.getFirst() instanceof Statement.DatabaseCommand command
                && !databases.areUnusedFor(command)) {
            return false;
        }
        if (!numbering.isReady()
                || !routing.place()
                || !oneSnapshot.prepare(statements)
                || !plans.prepare(pinning.isPinned())) {
            return false;
        }
        if (numbering.mustWait()) {
            return engine.awaitReplies();
        }
        notifications.recallFor(statements);
        numbering.tell();
        names.lendFor(statements, asQuery);
        sequences.prepare(statements, pinning.isPinned());
        return true;
    }
}
