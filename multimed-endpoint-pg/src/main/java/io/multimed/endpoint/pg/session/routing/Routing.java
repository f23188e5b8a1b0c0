package io.multimed.endpoint.pg.session.routing;

import io.multimed.core.admission.Admission;
import io.multimed.core.dispatch.Placement;
import io.multimed.core.dispatch.Reason;
import io.multimed.core.node.ComputationalNode;
import io.multimed.endpoint.pg.backend.BackendConnection;
import io.multimed.endpoint.pg.session.block.BlockParts;
import io.multimed.endpoint.pg.session.block.DeferredBegin;
import io.multimed.endpoint.pg.session.block.TransactionBlock;
import io.multimed.endpoint.pg.session.exchange.AwaitingEngine;
import io.multimed.endpoint.pg.session.exchange.Exchange;
import io.multimed.endpoint.pg.session.exchange.ExchangeParts;
import io.multimed.endpoint.pg.session.exchange.Instructions;
import io.multimed.endpoint.pg.session.exchange.SessionContext;
import io.multimed.endpoint.pg.session.loop.LoopContext;
import io.multimed.endpoint.pg.session.settings.SessionVariables;
import io.multimed.protocol.pg.ErrorFields;
import io.multimed.protocol.pg.SqlState;
import io.multimed.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the connection on which a session's next unit may run: on a Satellite that is fresh enough, or on the Master once it shows
 * what Satellites have shown.
 *
 * <p>{@link #place} returns false while the session has to wait. It is called again for the same unit when the wait has ended.
 */
public final class Routing {
    private final LoopContext loop;
    private final Exchange exchange;
    private final TransactionBlock block;
    private final DeferredBegin deferred;
    private final Instructions instructions;
    private final AwaitingEngine engine;
    private final SessionVariables variables;
    private final Unit unit;
    private final Admission admission;
    private final AwaitingFreshness freshness;
    private final AwaitingVisibility visibility;
    private final BackendCheckout checkout;
    /** Stored in a field, since every unit needs it. */
    private final Predicate<String> shownAlike;

    private @Nullable ErrorFields refusal;

    Routing(
            SessionContext session,
            ExchangeParts parts,
            BlockParts blocks,
            SessionVariables variables,
            Unit unit,
            AwaitingFreshness freshness,
            AwaitingVisibility visibility,
            BackendCheckout checkout) {
        loop = session.loop();
        exchange = parts.exchange();
        block = blocks.block();
        deferred = blocks.deferred();
        instructions = parts.instructions();
        engine = parts.engine();
        this.variables = variables;
        this.unit = unit;
        admission = unit.admission();
        this.freshness = freshness;
        this.visibility = visibility;
        this.checkout = checkout;
        shownAlike = new ShownSettings(variables, block, loop.options().nodes().settings())::isAlike;
    }

    /** The node and the reason of the latest placement. */
    public String route() {
        return checkout.route();
    }

    /** The reason why the unit that was placed last must be refused all the same; null if there is none. Resets the answer. */
    public @Nullable ErrorFields takeRefusal() {
        ErrorFields answer = refusal;
        refusal = null;
        return answer;
    }

    /**
     * Binds the session to a connection on which the unit may run now.
     *
     * @return false when it has to wait
     */
    public boolean place() {
        admission.arrive(loop.nanoTime());
        Access access = access();
        if (!exchange.isBound()) {
            return placeUnbound(access);
        }
        if (!engine.takesMore()) {
            return false;
        }
        if (exchange.isOwnTransaction()) {
            // Whether the block has failed is known only after the messages sent have been answered.
            if (unit.suitsOwnTransaction && !exchange.onlyInternal()) {
                return engine.awaitReplies();
            }
            // The Satellite may have been created anew while the unit waited for this connection.
            if (unit.suitsOwnTransaction
                    && admission.isCoveredBy(exchange.bound().node())) {
                return true;
            }
            // The unit may also have been classified anew in the meantime.
            if (!exchange.isDrained()) {
                return engine.awaitReplies();
            }
            release();
            return placeUnbound(access);
        }
        if (exchange.isIgnored() || unit.stopped() != null) {
            // The unit is not executed anywhere.
            return true;
        }
        if (exchange.isRecovering() && !knowsWhetherRecovered()) {
            return false;
        }
        if (exchange.onMaster()) {
            boolean read = access.isRead() || access == Access.CHOSEN;
            if (read
                    && !block.isOpen()
                    && !exchange.isDrained()
                    && exchange.onlyInternal()
                    && !checkout.hasServedUnit()) {
                // The Master is only asked what the last transaction left behind: then a Satellite may take the read,
                // and the route of one that is to stay here is its own.
                return engine.awaitReplies();
            }
            // Between BEGIN and the first snapshot, Satellites may have shown more. Outstanding replies, even if they
            // are only the residue of the last transaction, do not keep other sessions from reading on Satellites.
            return block.hasSnapshot() && !TransactionBlock.endsAmid(unit.statements) || visibility.masterShowsEnough();
        }
        return placeOnBoundSatellite(access);
    }

    private Access access() {
        Access access =
                AccessRules.of(unit.statements, block, variables.defaults(), deferred.status() == 'E', shownAlike);
        boolean inBlockSomewhere = exchange.isBound() && block.isOpen();
        return access.isRead() && variables.readsOnMaster() && !inBlockSomewhere ? Access.CHOSEN : access;
    }

    /** The outstanding messages may have ended the failed state of the block, and the placement depends on it. */
    private boolean knowsWhetherRecovered() {
        if (exchange.isDrained()) {
            exchange.recovered((byte) (block.isOpen() ? 'T' : 'I'));
            return true;
        }
        return engine.awaitReplies();
    }

    private boolean placeUnbound(Access access) {
        Reason reason = access.masterReason();
        if (reason == null && admission.masterReason() == null && !deferred.needsMaster()) {
            switch (admission.placeRead(loop.nanoTime(), freshness.patienceNanos())) {
                case Placement.OnSatellite(var node) -> {
                    return checkout.acquire(node, Reason.FRESH_SATELLITE, access.because());
                }
                case Placement.AwaitFreshness ignored -> {
                    return freshness.await() && place();
                }
                case Placement.OnMaster ignored -> {}
            }
        }
        if (!visibility.masterShowsEnough()) {
            return false;
        }
        Reason why = Objects.requireNonNullElse(
                reason, Objects.requireNonNullElse(admission.masterReason(), Reason.RETRIED));
        return checkout.acquire(loop.nodes().master(), why, access.because());
    }

    private boolean placeOnBoundSatellite(Access access) {
        ComputationalNode node = exchange.bound().node();
        if (!exchange.isDrained() && TransactionBlock.chains(unit.statements)) {
            // The characteristics of the chained transaction depend on whether the block has failed.
            return engine.awaitReplies();
        }
        if (exchange.status() == 'E') {
            if (preparesTransaction()) {
                // In a failed block the Master treats it as ROLLBACK; a standby refuses it.
                return exchange.isDrained() ? failOnMaster(access) : engine.awaitReplies();
            }
            if (unit.statements.size() <= 1 || !TransactionBlock.mayLeaveFailure(unit.statements)) {
                return true;
            }
            if (!(unit.statements.getFirst() instanceof Statement.RollbackTo)) {
                return access.isRead() && admission.isCoveredBy(node)
                        || (exchange.isDrained() ? failOnMaster(access) : engine.awaitReplies());
            }
        }
        if (!block.isOpen()) {
            if (exchange.isAskedForResidue()) {
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
            release();
            return placeUnbound(access);
        }
        if (!access.isRead()) {
            return exchange.isDrained() ? moveToMaster(access) : engine.awaitReplies();
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
        if (!admission.hasWaited(loop.nanoTime(), freshness.patienceNanos())) {
            return freshness.await() && place();
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
            refusal = ErrorFields.error(
                            SqlState.FEATURE_NOT_SUPPORTED,
                            "cannot execute on a satellite within this transaction: " + access.because())
                    .withDetail("The transaction is bound to a satellite by its snapshot, cursors or savepoints.")
                    .withHint("Begin the transaction READ WRITE, so that the master executes all of it.");
            return true;
        }
        leaveSatellite();
        deferred.beginAnew();
        return placeUnbound(access);
    }

    /**
     * Moves a block that has failed on a Satellite. The statements behind its end in the same unit are for the Master, on which a
     * failed block is opened.
     */
    private boolean failOnMaster(Access access) {
        leaveSatellite();
        deferred.beginAnew();
        deferred.fail();
        return placeUnbound(access);
    }

    /** Gives the connection back between transactions. */
    public void release() {
        exchange.leave();
    }

    /** Ends the transaction on the Satellite without waiting for the reply. */
    void leaveSatellite() {
        if (exchange.status() == 'I' && !exchange.isUnsynced()) {
            release();
            return;
        }
        BackendConnection satellite = exchange.unbind();
        satellite.node().transactionEnded();
        new RollBackAndRelease(satellite).start();
    }

    /** Abandons all waits, because the session ends, or its unit is cancelled or runs elsewhere. */
    public void abandon() {
        freshness.abandon();
        checkout.abandon();
    }
}
