package io.multimed.endpoint.pg.session.requests;

import io.multimed.endpoint.pg.session.block.DeferredBegin;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.block.TransactionEnds;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.prepared.SqlNames;
import io.multimed.endpoint.pg.session.routing.SatelliteLoss;
import io.multimed.endpoint.pg.session.routing.Unit;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Determines whether and why the unit must not be executed. */
public final class Rejections {
    private final boolean tablespaces;
    private final Exchange exchange;
    private final TransactionBlock block;
    private final DeferredBegin deferred;
    private final Unit unit;
    private final SqlNames names;
    private final Notifications notifications;
    private final ExplainedStatements explanations;

    /**
     * Creates the rejections of a session.
     *
     * @param tablespaces whether Satellites can be kept out of a new tablespace's directory
     */
    public Rejections(
            boolean tablespaces,
            Exchange exchange,
            TransactionBlock block,
            DeferredBegin deferred,
            Unit unit,
            SqlNames names,
            Notifications notifications,
            ExplainedStatements explanations) {
        this.tablespaces = tablespaces;
        this.exchange = exchange;
        this.block = block;
        this.deferred = deferred;
        this.unit = unit;
        this.names = names;
        this.notifications = notifications;
        this.explanations = explanations;
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
        ErrorFields refusal = unit.takeRefusal();
        ErrorFields stopped = unit.stopped();
        ErrorFields reason = stopped != null ? stopped : refusal;
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
        return exchange.status() != 'E' || statements.isEmpty() || TransactionEnds.mayLeaveFailure(statements);
    }

    /** The reason why this statement by itself is not executed; null if there is none. */
    @Nullable
    ErrorFields ofItself(Statement statement) {
        if (statement instanceof Statement.RollbackTo && block.hasLostSavepoints()) {
            return SatelliteLoss.FAILED;
        }
        if (statement instanceof Statement.ExplainPlacement explanation) {
            return explanations.refuse(explanation);
        }
        ErrorFields reason = names.refuse(statement);
        return reason != null ? reason : Refusals.of(statement, tablespaces);
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
}
