package io.multimed.endpoint.pg.session.routing;

import io.multimed.core.admission.Admission;
import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.pg.session.block.DeferredBegin;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.block.TransactionEnds;
import io.multimed.endpoint.pg.session.exchange.AwaitingEngine;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.Instructions;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import io.multimed.sql.Statement;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Decides whether a unit runs on the Satellite to which its session holds a connection. Otherwise the unit moves to another node,
 * with its block if the client cannot notice, or it is refused.
 */
public final class SatelliteRouting {
    private final LongSupplier clock;
    private final Exchange exchange;
    private final TransactionBlock block;
    private final DeferredBegin deferred;
    private final Instructions instructions;
    private final AwaitingEngine engine;
    private final Unit unit;
    private final Admission admission;
    private final AwaitingFreshness freshness;
    private final UnboundRouting unbound;

    /**
     * Creates the routing of units whose session holds a Satellite.
     *
     * @param clock monotonic nanoseconds
     */
    public SatelliteRouting(
            LongSupplier clock,
            Exchange exchange,
            TransactionBlock block,
            DeferredBegin deferred,
            Instructions instructions,
            AwaitingEngine engine,
            Unit unit,
            AwaitingFreshness freshness,
            UnboundRouting unbound) {
        this.clock = clock;
        this.exchange = exchange;
        this.block = block;
        this.deferred = deferred;
        this.instructions = instructions;
        this.engine = engine;
        this.unit = unit;
        admission = unit.admission();
        this.freshness = freshness;
        this.unbound = unbound;
    }

    /**
     * Makes sure that the session holds a connection on which the unit may run now.
     *
     * @return false when it has to wait
     */
    boolean place(Access access) {
        ComputationalNode node = exchange.bound().node();
        if (!exchange.isDrained() && TransactionEnds.chains(unit.statements)) {
            // The characteristics of the chained transaction depend on whether the block has failed.
            return engine.awaitReplies();
        }
        if (exchange.status() == 'E') {
            if (preparesTransaction()) {
                // In a failed block the Master treats it as ROLLBACK; a standby refuses it.
                return exchange.isDrained() ? failOnMaster(access) : engine.awaitReplies();
            }
            if (unit.statements.size() <= 1 || !TransactionEnds.mayLeaveFailure(unit.statements)) {
                return true;
            }
            if (!(unit.statements.getFirst() instanceof Statement.RollbackTo)) {
                return (access.isRead() && admission.isCoveredBy(node))
                        || (exchange.isDrained() ? failOnMaster(access) : engine.awaitReplies());
            }
        }
        if (!block.isOpen()) {
            if (exchange.effects().askForResidue()) {
                // The residue may have to be asked for a second time, which must not happen in the middle of the next
                // transaction.
                return engine.awaitReplies();
            }
            if (access.isRead() && admission.isCoveredBy(node) && admission.masterReason() == null) {
                if (!exchange.isDrained()) {
                    exchange.stopHolding();
                }
                return true;
            }
            if (exchange.isUnsynced()) {
                // Only after a Sync does the engine report that the transaction is over, and only then is it asked for
                // the residue.
                instructions.synchronise();
            }
            if (!exchange.isDrained()) {
                return engine.awaitReplies();
            }
            exchange.leave();
            return unbound.place(access);
        }
        if (!access.isRead()) {
            return exchange.isDrained() ? moveToMaster(access) : engine.awaitReplies();
        }
        if (admission.needsMatter() && !admission.needs().areHeldBy(node)) {
            return exchange.isDrained() ? moveToMaster(Access.NOT_HELD) : engine.awaitReplies();
        }
        if (!block.takesNewSnapshot() || !takesSnapshot(unit.statements) || admission.isCoveredBy(node)) {
            if (!exchange.isDrained()) {
                exchange.stopHolding();
            }
            return true;
        }
        if (!exchange.isDrained()) {
            return engine.awaitReplies();
        }
        if (!admission.hasWaited(clock.getAsLong(), freshness.patienceNanos())) {
            return freshness.await() && place(access);
        }
        admission.awaitedInVain(node);
        return moveToMaster(access);
    }

    private boolean preparesTransaction() {
        return unit.statements.size() == 1 && unit.statements.getFirst() instanceof Statement.PrepareTransaction;
    }

    /** Whether any of the statements takes a new snapshot. A cursor shows the snapshot of its declaration. */
    private static boolean takesSnapshot(List<Statement> statements) {
        for (int i = 0; i < statements.size(); i++) {
            switch (statements.get(i)) {
                case Statement.Fetch ignored -> {}
                case Statement.CloseCursor ignored -> {}
                case Statement.Savepoint ignored -> {}
                case Statement.RollbackTo ignored -> {}
                case Statement.Release ignored -> {}
                case Statement.Commit ignored -> {}
                case Statement.Rollback ignored -> {}
                case Statement.Empty ignored -> {}
                default -> {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Moves a block that began on a Satellite and now needs the Master: the block begins anew there if the client cannot notice.
     */
    private boolean moveToMaster(Access access) {
        if (!block.isMovable()) {
            unit.refuse(refusal(exchange.bound().node(), access));
            return true;
        }
        RollBackAndRelease.leave(exchange);
        deferred.beginAnew();
        return unbound.place(access);
    }

    /** Returns the error for a block that cannot leave its node. What a partial Satellite refuses runs elsewhere the next time. */
    private ErrorFields refusal(ComputationalNode node, Access access) {
        if (node.contents().isWhole()) {
            return ErrorFields.error(
                            SqlState.FEATURE_NOT_SUPPORTED,
                            "cannot execute on a satellite within this transaction: " + access.because())
                    .withDetail("The transaction is bound to a satellite by its snapshot, cursors or savepoints.")
                    .withHint("Begin the transaction READ WRITE, so that the master executes all of it.");
        }
        block.holders().refused();
        return ErrorFields.error(
                        SqlState.SERIALIZATION_FAILURE,
                        "cannot execute on a partial satellite within this transaction: " + access.because())
                .withDetail(
                        "The transaction is bound to " + node.id().name()
                                + " by its snapshot, cursors or savepoints. Transactions that begin like it begin elsewhere from now on.")
                .withHint("Try the transaction again.");
    }

    /**
     * Moves a block that has failed on a Satellite. The statements behind its end in the same unit are for the Master, on which a
     * failed block is opened.
     */
    private boolean failOnMaster(Access access) {
        RollBackAndRelease.leave(exchange);
        deferred.beginAnew();
        deferred.fail();
        return unbound.place(access);
    }
}
